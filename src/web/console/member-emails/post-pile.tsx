import { useState } from 'react'
import {
  downloadPostFile,
  downloadPostLabels,
  markPosted,
  type MemberEmailDetail,
} from '#contract/console/emails/member-emails.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { downloadFile } from '#web/shared/download-file.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { ActionMessages } from '../shell/action-messages.tsx'
import { callAsOfficer } from '../shell/call-as-officer.ts'
import { useAction } from '../shell/use-action.ts'
import { Panel } from '../ui/panel.tsx'

const PERSONAL = 'The file contains names and addresses. Keep it safe, and delete it after use.'

/** The letters of a notice to those whom no email reaches. */
export function PostPile({
  email,
  onChanged,
}: {
  email: MemberEmailDetail
  onChanged(email: MemberEmailDetail): void
}) {
  const action = useAction()
  const [today] = useState(() => dayOf(Date.now()))
  const [postedOn, setPostedOn] = useState(today)
  const { id, post } = email
  if (!post) return null
  const { waiting, posted, unreached } = post
  const params = { id }
  const letters = (count: number) => (count === 1 ? '1 letter' : `${count.toLocaleString('en-US')} letters`)

  return (
    <Panel title="Post">
      <ActionMessages action={action} />
      <p>
        {waiting === 0 ? 'Nothing waits to be posted.' : `${letters(waiting)} to post.`}
        {posted > 0 && ` ${letters(posted)} posted.`}
        {unreached > 0 &&
          ` ${unreached === 1 ? '1 person' : `${unreached.toLocaleString('en-US')} people`} cannot be reached: the email came back, and officers see no postal address.`}
      </p>
      {waiting > 0 && email.mayNotify && (
        <>
          <div className="buttons">
            <Button
              variant="line"
              busy={action.busy === 'letters'}
              busyLabel="Preparing"
              onClick={() =>
                void action.run(
                  'letters',
                  async () => downloadFile(await callAsOfficer(downloadPostFile, { params }), 'letters.pdf'),
                  PERSONAL,
                )
              }
            >
              Letters (PDF)
            </Button>
            <Button
              variant="line"
              busy={action.busy === 'labels'}
              busyLabel="Preparing"
              onClick={() =>
                void action.run(
                  'labels',
                  async () => downloadFile(await callAsOfficer(downloadPostLabels, { params }), 'labels.csv'),
                  PERSONAL,
                )
              }
            >
              Labels (CSV)
            </Button>
          </div>
          <Field
            label="Posted on"
            name="postedOn"
            type="date"
            max={today}
            value={postedOn}
            onChange={({ currentTarget }) => setPostedOn(currentTarget.value)}
          />
          <Button
            busy={action.busy === 'posted'}
            busyLabel="Saving"
            onClick={() =>
              void action.run(
                'posted',
                async () => onChanged(await callAsOfficer(markPosted, { params, body: { postedOn, count: waiting } })),
                'Saved.',
              )
            }
          >
            {waiting === 1 ? 'Mark as posted' : `Mark all ${waiting.toLocaleString('en-US')} as posted`}
          </Button>
        </>
      )}
    </Panel>
  )
}
