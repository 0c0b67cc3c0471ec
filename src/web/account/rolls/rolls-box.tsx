import { useState } from 'react'
import { formatLongDate } from '#contract/dates/dates.ts'
import { formatDay } from '#contract/dates/days.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { rollLimits, type OwnRoll, type readRoll } from '#contract/public/my-account/own-rolls.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextArea } from '#web/ui/field.tsx'
import { Box } from '../box.tsx'
import { useMemberData } from '../member-data.tsx'
import type { ExplainFailure } from '../use-account.ts'
import { readOwnRolls, readRollPage, sendObjection } from './rolls.calls.ts'

const SENTENCES = { missing: 'Please log in again', failed: 'This did not work. Please try again.' }

/** Rolls that are open to objections: whether the member is on them, the list, and an objection. Nothing while there is none. */
export function RollsBox({ explainFailure }: { explainFailure: ExplainFailure }) {
  const loaded = useMemberData(readOwnRolls)
  const [changed, setChanged] = useState<OwnRoll[] | null>(null)
  const rolls = changed ?? (loaded.step === 'shown' ? loaded.value : [])
  return rolls.map((roll) => (
    <Box key={roll.id} title={`Roll of members: ${roll.name}`}>
      <OpenRoll roll={roll} explainFailure={explainFailure} onChanged={setChanged} />
    </Box>
  ))
}

interface OpenRollProps {
  roll: OwnRoll
  explainFailure: ExplainFailure
  onChanged(rolls: OwnRoll[]): void
}

function OpenRoll({ roll, explainFailure, onChanged }: OpenRollProps) {
  const { id, recordDay, objectionsUntil, isOnRoll, objections } = roll
  const [page, setPage] = useState(1)
  const [list, setList] = useState<ReplyOf<typeof readRoll> | null>(null)
  const [text, setText] = useState('')
  const [busy, setBusy] = useState<'list' | 'objection' | null>(null)
  const [failure, setFailure] = useState('')

  async function act(name: 'list' | 'objection', call: () => Promise<void>) {
    if (busy) return
    setBusy(name)
    setFailure('')
    await call().catch((cause: unknown) => setFailure(explainFailure(cause, SENTENCES) ?? ''))
    setBusy(null)
  }
  const show = (next: number) =>
    void act('list', async () => {
      setList(await readRollPage(id, next))
      setPage(next)
    })

  return (
    <>
      <p>
        This roll names the members entitled on {formatDay(recordDay)}.{' '}
        {isOnRoll ? 'You are on it.' : 'You are not on it.'} You can object until {formatDay(objectionsUntil)} if
        someone is missing, or on it by mistake.
      </p>
      {failure && (
        <Banner tone="bad" role="alert">
          {failure}
        </Banner>
      )}
      {isOnRoll && !list && (
        <div className="buttons">
          <Button variant="line" size="small" busy={busy === 'list'} busyLabel="Loading" onClick={() => show(1)}>
            Show the list
          </Button>
        </div>
      )}
      {list && (
        <>
          <ol start={(page - 1) * rollLimits.perPage + 1}>
            {list.people.map(({ name, level }, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- two members may have the same name and level
              <li key={index}>
                {name}, {level}
              </li>
            ))}
          </ol>
          <div className="buttons">
            {page > 1 && (
              <Button variant="line" size="small" onClick={() => show(page - 1)}>
                Previous
              </Button>
            )}
            {page * rollLimits.perPage < list.total && (
              <Button variant="line" size="small" onClick={() => show(page + 1)}>
                Next
              </Button>
            )}
          </div>
          <p className="small">
            Use this list only to check it. It must not be used for advertising or passed on; each look is recorded.
          </p>
        </>
      )}
      {objections.map((objection) => (
        <p key={objection.madeAt} className="break">
          You objected on {formatLongDate(objection.madeAt)}: “{objection.text}”{' '}
          {objection.answer === null ? 'An officer will answer.' : `Answer: ${objection.answer}`}
        </p>
      ))}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void act('objection', async () => {
            onChanged(await sendObjection(id, text))
            setText('')
          })
        }}
      >
        <TextArea
          label="What is wrong with the roll?"
          name="objection"
          rows={3}
          value={text}
          maxLength={rollLimits.objection.max}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Button
          type="submit"
          variant="line"
          size="small"
          disabled={text.trim().length < rollLimits.objection.min}
          busy={busy === 'objection'}
          busyLabel="Sending"
        >
          Send objection
        </Button>
      </form>
    </>
  )
}
