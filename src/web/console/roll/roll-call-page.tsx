import { useState } from 'react'
import {
  closeRollCall,
  downloadRollCallLabels,
  downloadRollCallPost,
  getRollCall,
  recordLostContact,
  recordRollCallAnswer,
  ROLL_CALL_HOW_NAMES,
  ROLL_CALL_PARTS,
  type HEARD_BY,
  type RollCall,
  type RollCallPart,
  type RollCallPerson,
} from '#contract/console/people/roll-call.ts'
import { ROLL_CALL_ANSWER_NAMES, type RollCallAnswer } from '#contract/public/my-account/still-here.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import { formatDay } from '#contract/dates/days.ts'
import { downloadFile } from '#web/shared/download-file.ts'
import { Button } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { DataTable, type Column } from '../list/data-table.tsx'
import { SelectField } from '../forms/select-field.tsx'
import { ListPager } from '../list/list-pager.tsx'
import { useList } from '../list/use-list.ts'
import { ReasonDialog } from '../members/reason-dialog.tsx'
import { ActionMessages } from '../shell/action-messages.tsx'
import { callAsOfficer } from '../shell/call-as-officer.ts'
import { ConsolePage, WhenLoaded } from '../shell/console-page.tsx'
import { saveAsOfficer } from '../shell/save-as-officer.ts'
import { useAction } from '../shell/use-action.ts'
import { useLoaded } from '../shell/use-loaded.ts'
import { PageTabs } from '../ui/page-tabs.tsx'

const PART_NAMES: Record<RollCallPart, string> = {
  all: 'All',
  answered: 'Answered',
  silent: 'Silent',
  proposed: 'Silent twice',
}

const WAY_NAMES = { email: 'Email', post: 'Post', none: 'No address' } as const

const COLUMNS: Column<RollCallPerson>[] = [
  {
    key: 'answer',
    label: 'Answer',
    staysFolded: true,
    cell: ({ answer, isLost }) => (answer ? ROLL_CALL_ANSWER_NAMES[answer] : isLost ? 'Lost contact' : 'Silent'),
  },
  {
    key: 'how',
    label: 'How',
    cell: ({ how, answeredBy }) =>
      how === null
        ? ''
        : answeredBy === null
          ? ROLL_CALL_HOW_NAMES[how]
          : `${ROLL_CALL_HOW_NAMES[how]}, by ${answeredBy}`,
  },
  { key: 'at', label: 'When', priority: 2, cell: ({ answeredAt }) => (answeredAt ? formatLongDate(answeredAt) : '') },
  { key: 'way', label: 'Asked by', priority: 2, cell: ({ way }) => WAY_NAMES[way] },
]

/** Who answered a roll call and how, and who is silent. */
export default function RollCallPage({ id }: { id: string }) {
  const list = useList({ name: 'roll-call', filters: ['part'], columns: COLUMNS.map(({ key }) => key) })
  const part = ROLL_CALL_PARTS.find((one) => one === list.filters['part']?.[0]) ?? 'all'
  const loaded = useLoaded(getRollCall, {
    params: { id },
    query: { part, page: String(list.page), size: String(list.size) as '25' | '50' | '100' },
  })
  const action = useAction()
  const [recording, setRecording] = useState<RollCallPerson | null>(null)
  const [isLosing, setLosing] = useState(false)
  const { value } = loaded
  const counts = value?.call.counts
  const partCounts: Record<RollCallPart, number | undefined> = {
    all: counts?.asked,
    answered: counts && counts.asked - counts.silent,
    silent: counts?.silent,
    proposed: counts?.proposed,
  }
  const path = `/console/roll-calls/${id}`

  return (
    <ConsolePage
      title="Roll call"
      crumb={<Link to="/console/roll-calls">Roll calls</Link>}
      lead={value && leadOf(value.call)}
      action={
        value?.mayAsk &&
        value.call.isOpen && (
          <Button
            variant="line"
            busy={action.busy === 'close'}
            busyLabel="Closing"
            onClick={() =>
              void action
                .run('close', () => saveAsOfficer(closeRollCall, { params: { id } }), 'The roll call is closed.')
                .then(loaded.reload)
            }
          >
            Close now
          </Button>
        )
      }
    >
      <ActionMessages action={action} />
      <PageTabs
        label="Roll call"
        tabs={ROLL_CALL_PARTS.map((one) => ({
          label: PART_NAMES[one],
          to: one === 'all' ? path : `${path}?part=${one}`,
          isCurrent: one === part,
          count: partCounts[one],
        }))}
      />
      <WhenLoaded loaded={loaded} what="the roll call">
        {({ people, total, mayAsk, mayRecord, call }) => (
          <>
            {part === 'silent' && mayAsk && total > 0 && <PostButtons id={id} action={action} />}
            {part === 'proposed' && mayRecord && total > 0 && call.isOpen && (
              <p>They can still answer. When the roll call is over, you can record lost contact here.</p>
            )}
            {part === 'proposed' && mayRecord && total > 0 && !call.isOpen && (
              <div className="buttons">
                <Button onClick={() => setLosing(true)}>Record lost contact with these</Button>
              </div>
            )}
            <DataTable<RollCallPerson>
              caption={`${PART_NAMES[part]}, by name`}
              rows={people}
              rowId={({ accountId }) => accountId}
              name={{
                label: 'Name',
                text: ({ name }) => name,
                to: ({ accountId }) => `/console/members/${accountId}`,
              }}
              columns={COLUMNS}
              list={list}
              summary={({ how, way }) => (how === null ? WAY_NAMES[way] : ROLL_CALL_HOW_NAMES[how])}
              actions={(person) =>
                mayRecord && call.isOpen ? [{ label: 'Record an answer', onSelect: () => setRecording(person) }] : []
              }
            />
            <ListPager list={list} total={total} />
            <ReasonDialog
              open={isLosing}
              onClose={() => setLosing(false)}
              title="Record lost contact?"
              doing={{ label: 'Record lost contact', busyLabel: 'Recording' }}
              send={async (reason) => {
                const accountIds = people.map(({ accountId }) => accountId)
                const { recorded, skipped } = await saveAsOfficer(recordLostContact, {
                  params: { id },
                  body: { accountIds, reason },
                })
                setLosing(false)
                action.showDone(`Recorded for ${recorded}${skipped > 0 ? `, skipped ${skipped}` : ''}.`)
                loaded.reload()
              }}
            >
              <p>
                The {people.length} people on this page were silent in two roll calls. They stay members with all
                rights, but are not counted as reached. Call them and write by post first.
              </p>
            </ReasonDialog>
          </>
        )}
      </WhenLoaded>
      <Dialog
        open={recording !== null}
        onClose={() => setRecording(null)}
        title={`What did ${recording?.name ?? ''} answer?`}
        width="30rem"
      >
        {recording && (
          <RecordForm
            id={id}
            person={recording}
            onSaved={() => {
              setRecording(null)
              action.showDone('Answer recorded.')
              loaded.reload()
            }}
          />
        )}
      </Dialog>
    </ConsolePage>
  )
}

function leadOf({ beganAt, beganBy, closesOn, isOpen, levels, counts }: RollCall): string {
  const until = isOpen ? `open until ${formatDay(closesOn)}` : 'over'
  return `${levels.join(', ')}, started on ${formatLongDate(beganAt)} by ${beganBy}, ${until}. ${counts.reached.toLocaleString('en-US')} of ${counts.asked.toLocaleString('en-US')} reached, ${counts.lost.toLocaleString('en-US')} lost contact.`
}

function PostButtons({ id, action }: { id: string; action: ReturnType<typeof useAction> }) {
  const download = (label: string, endpoint: typeof downloadRollCallPost, file: string) => (
    <Button
      variant="line"
      busy={action.busy === label}
      busyLabel="Preparing"
      onClick={() =>
        void action.run(
          label,
          async () => downloadFile(await callAsOfficer(endpoint, { params: { id } }), file),
          'The file contains personal data. Keep it safe.',
        )
      }
    >
      {label}
    </Button>
  )
  return (
    <div className="buttons">
      {download('Pages to post (PDF)', downloadRollCallPost, 'roll-call.pdf')}
      {download('Labels (CSV)', downloadRollCallLabels, 'labels.csv')}
    </div>
  )
}

function RecordForm({ id, person, onSaved }: { id: string; person: RollCallPerson; onSaved(): void }) {
  const action = useAction()
  const [answer, setAnswer] = useState<RollCallAnswer>('here')
  const [how, setHow] = useState<(typeof HEARD_BY)[number]>('phone')
  async function save() {
    const body = { accountId: person.accountId, answer, how }
    if (await action.run('save', () => saveAsOfficer(recordRollCallAnswer, { params: { id }, body }), '')) onSaved()
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <ActionMessages action={action} />
      <SelectField
        label="Answer"
        name="answer"
        value={answer}
        error={undefined}
        hint={answer === 'died' ? 'This is a report; it changes nothing by itself.' : undefined}
        options={Object.entries(ROLL_CALL_ANSWER_NAMES)}
        onChange={({ currentTarget }) => setAnswer(currentTarget.value as RollCallAnswer)}
      />
      <SelectField
        label="How you heard"
        name="how"
        value={how}
        error={undefined}
        options={[
          ['phone', 'By phone'],
          ['post', 'By post'],
        ]}
        onChange={({ currentTarget }) => setHow(currentTarget.value as (typeof HEARD_BY)[number])}
      />
      <Button type="submit" busy={action.busy === 'save'} busyLabel="Saving">
        Record the answer
      </Button>
    </form>
  )
}
