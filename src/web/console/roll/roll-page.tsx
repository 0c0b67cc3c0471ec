import { useState } from 'react'
import {
  downloadRoll,
  getRoll,
  sealRoll,
  type Roll,
  type RollDetail,
  type RollEntry,
  type RollObjection,
} from '#contract/console/people/roll.ts'
import { formatLongDate, formatMoment } from '#contract/dates/dates.ts'
import { formatDay } from '#contract/dates/days.ts'
import { downloadFile } from '#web/shared/download-file.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Link } from '#web/ui/link.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { DataTable, type Column } from '../list/data-table.tsx'
import { ListPager } from '../list/list-pager.tsx'
import { useList } from '../list/use-list.ts'
import { ActionMessages } from '../shell/action-messages.tsx'
import { callAsOfficer } from '../shell/call-as-officer.ts'
import { ConsolePage, WhenLoaded } from '../shell/console-page.tsx'
import { saveAsOfficer } from '../shell/save-as-officer.ts'
import { useAction } from '../shell/use-action.ts'
import { useLoaded } from '../shell/use-loaded.ts'
import { ObjectionForm } from './objection-form.tsx'

const WAY_NAMES = { email: 'Email', post: 'Post', none: 'No address' } as const

const COLUMNS: Column<RollEntry>[] = [
  { key: 'level', label: 'Level', staysFolded: true, cell: ({ level }) => level },
  { key: 'way', label: 'Reached by', priority: 2, cell: ({ way }) => WAY_NAMES[way] },
  {
    key: 'change',
    label: 'Objection',
    cell: ({ change }) => change && <Badge tone={change === 'added' ? 'ok' : 'bad'}>{change}</Badge>,
  },
]

/** What an officer answers with: no change, or a person to add or remove. */
interface Answering {
  objection: RollObjection
  change: { what: 'add' | 'remove'; accountId: string; name: string } | null
}

/** A roll: the people, the objections, and the seal. */
export default function RollPage({ id }: { id: string }) {
  const list = useList({ name: 'roll', filters: [], columns: COLUMNS.map(({ key }) => key) })
  const loaded = useLoaded(getRoll, {
    params: { id },
    query: { page: String(list.page), size: String(list.size) as '25' | '50' | '100' },
  })
  const action = useAction()
  const [answering, setAnswering] = useState<Answering | null>(null)
  const { value } = loaded
  const waiting = value?.objections.filter(({ answer }) => answer === null) ?? []

  return (
    <ConsolePage
      title={value?.roll.name ?? 'Roll'}
      crumb={<Link to="/console/rolls">Rolls</Link>}
      lead={value && leadOf(value.roll)}
      action={value?.mayChange && <RollActions roll={value.roll} action={action} onSealed={loaded.reload} />}
    >
      <ActionMessages action={action} />
      <WhenLoaded loaded={loaded} what="the roll">
        {(detail) => (
          <div className="stack">
            {detail.roll.sealed && (
              <p className="break">
                Sealed on {formatMoment(detail.roll.sealed.at)} by {detail.roll.sealed.by}. SHA-256 of the list:{' '}
                <code>{detail.roll.sealed.digest}</code>
              </p>
            )}
            <Objections detail={detail} onAnswer={setAnswering} />
            <div>
              <DataTable<RollEntry>
                caption="People on the roll, by name"
                rows={detail.entries}
                rowId={({ accountId }) => accountId}
                name={{
                  label: 'Name',
                  text: ({ name }) => name,
                  to: ({ accountId }) => `/console/members/${accountId}`,
                }}
                columns={COLUMNS}
                list={list}
                actions={({ accountId, name, change }) =>
                  detail.mayChange && !detail.roll.sealed && change !== 'removed'
                    ? waiting.map((objection) => ({
                        label: `Remove after the objection of ${objection.name}`,
                        onSelect: () => setAnswering({ objection, change: { what: 'remove', accountId, name } }),
                      }))
                    : []
                }
              />
              <ListPager list={list} total={detail.total} />
            </div>
          </div>
        )}
      </WhenLoaded>
      <Dialog open={answering !== null} onClose={() => setAnswering(null)} title="Answer the objection" width="34rem">
        {answering && (
          <ObjectionForm
            id={id}
            {...answering}
            onSaved={() => {
              setAnswering(null)
              action.showDone('Answered. The member reads it in the account.')
              loaded.reload()
            }}
          />
        )}
      </Dialog>
    </ConsolePage>
  )
}

function leadOf({ recordDay, people, levelNames, rule, frozenAt, frozenBy, objectionsUntil }: Roll): string {
  const grace = rule.graceDays > 0 ? `, up to ${rule.graceDays} days after the end of a term` : ''
  const lost = rule.includesLost ? '' : ', without lost contact'
  return `${people.toLocaleString('en-US')} members on ${formatDay(recordDay)}: ${levelNames.join(', ')}${grace}${lost}. Frozen on ${formatLongDate(frozenAt)} by ${frozenBy}, objections until ${formatDay(objectionsUntil)}.`
}

function RollActions({
  roll: { id, recordDay, sealed, isOpen },
  action,
  onSealed,
}: {
  roll: Roll
  action: ReturnType<typeof useAction>
  onSealed(): void
}) {
  const params = { id }
  return (
    <div className="buttons">
      <Button
        variant="line"
        busy={action.busy === 'file'}
        busyLabel="Preparing"
        onClick={() =>
          void action.run(
            'file',
            async () => downloadFile(await callAsOfficer(downloadRoll, { params }), `roll-${recordDay}.csv`),
            'The file contains personal data. Keep it safe.',
          )
        }
      >
        List (CSV)
      </Button>
      {!sealed && !isOpen && (
        <Button
          busy={action.busy === 'seal'}
          busyLabel="Sealing"
          onClick={() => void action.run('seal', () => saveAsOfficer(sealRoll, { params }), 'Sealed.').then(onSealed)}
        >
          Seal the roll
        </Button>
      )}
    </div>
  )
}

function Objections({
  detail: { objections, roll, mayChange },
  onAnswer,
}: {
  detail: RollDetail
  onAnswer(answering: Answering): void
}) {
  if (objections.length === 0) return null
  return (
    <Card title="Objections">
      <ul className="records">
        {objections.map((objection) => (
          <li key={objection.id}>
            <div>
              <p className="break">
                <strong>{objection.name}</strong>, {formatLongDate(objection.madeAt)}: {objection.text}
              </p>
              {objection.answer !== null && (
                <p className="small soft break">
                  Answer by {objection.answeredBy}: {objection.answer}
                </p>
              )}
              {objection.answer === null && mayChange && !roll.sealed && (
                <div className="buttons">
                  <Button variant="line" size="small" onClick={() => onAnswer({ objection, change: null })}>
                    Answer
                  </Button>
                  {!objection.isOnRoll && (
                    <Button
                      variant="line"
                      size="small"
                      onClick={() => {
                        const { accountId, name } = objection
                        onAnswer({ objection, change: { what: 'add', accountId, name } })
                      }}
                    >
                      Add to the roll
                    </Button>
                  )}
                </div>
              )}
            </div>
          </li>
        ))}
      </ul>
    </Card>
  )
}
