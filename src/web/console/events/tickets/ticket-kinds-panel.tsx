import { useState } from 'react'
import { region } from '#contract/region.ts'
import { saveRsvpSettings, type RsvpEvent, type TicketKind } from '#contract/console/rsvp.ts'
import { formatMoney } from '#contract/money.ts'
import { Button } from '#web/ui/button.tsx'
import { ActionMessages } from '#web/console/shell/action-messages.tsx'
import { saveAsOfficer } from '#web/console/shell/save-as-officer.ts'
import { useAction } from '#web/console/shell/use-action.ts'
import { Drawer } from '#web/console/ui/drawer.tsx'
import { Panel } from '#web/console/ui/panel.tsx'
import { RowMenu } from '#web/console/ui/row-menu.tsx'
import { withKinds } from './ticket-kind-form.rules.ts'
import { TicketKindForm } from './ticket-kind-form.tsx'

type Save = (kinds: TicketKind[]) => Promise<RsvpEvent>

/** The kinds of tickets of an event, with what was sold. Each change is live at once. */
export function TicketKindsPanel({
  found,
  onSaved,
}: {
  found: RsvpEvent
  onSaved(next: RsvpEvent, message: string): void
}) {
  const { offer, tickets, levels, event } = found
  const { kinds } = offer
  const action = useAction()
  /** The kind in the drawer; `new` for another one. */
  const [open, setOpen] = useState<TicketKind | 'new' | null>(null)
  const save: Save = (next) =>
    saveAsOfficer(saveRsvpSettings, { params: { id: event.id }, body: withKinds(offer, next) })

  const change = (next: TicketKind[], message: string) =>
    void action.run('save', async () => onSaved(await save(next), message))
  const move = (from: number, to: number) => {
    const next = kinds.toSpliced(from, 1)
    const [moved] = kinds.slice(from, from + 1)
    if (moved) change(next.toSpliced(to, 0, moved), `${moved.name} was moved.`)
  }

  return (
    <Panel
      title="Kinds of tickets"
      isFlush={tickets.length > 0}
      action={
        <Button variant="line" size="small" onClick={() => setOpen('new')}>
          Add a kind
        </Button>
      }
    >
      <ActionMessages action={action} />
      {tickets.length === 0 ? (
        <p className="soft">
          None: everyone pays the same price. Add kinds such as Adult, Child or Table of ten, each with its own price
          and limit.
        </p>
      ) : (
        <table className="data-table">
          <caption className="visually-hidden">Kinds of tickets</caption>
          <thead>
            <tr>
              <th scope="col">Kind</th>
              <th scope="col">Price</th>
              <th scope="col" className="priority-2">
                For
              </th>
              <th scope="col" className="number">
                Coming
              </th>
              <th scope="col" className="number priority-2">
                Sold for
              </th>
              <th scope="col">
                <span className="visually-hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {tickets.map(({ kind: key, name, count, amount }) => {
              const index = kinds.findIndex((one) => one.key === key)
              const kind = kinds[index]
              const sold = kind?.limit ? `${count} of ${kind.limit}` : String(count)
              return (
                <tr key={key}>
                  <th scope="row" className="name">
                    {kind ? (
                      <button type="button" className="text-button" onClick={() => setOpen(kind)}>
                        {name}
                      </button>
                    ) : (
                      name
                    )}
                    <span className="folded">
                      {[kind ? priceOf(kind) : 'No longer offered', whom(kind, levels)].filter(Boolean).join(', ')}
                    </span>
                  </th>
                  <td>{kind ? priceOf(kind) : 'No longer offered'}</td>
                  <td className="priority-2">{whom(kind, levels)}</td>
                  <td className="number stays">{sold}</td>
                  <td className="number priority-2">{formatMoney(amount, region().currency)}</td>
                  <td className="acts">
                    {kind && (
                      <RowMenu
                        name={`Actions for ${name}`}
                        items={[
                          { label: 'Edit', onSelect: () => setOpen(kind) },
                          ...(index > 0 ? [{ label: 'Move up', onSelect: () => move(index, index - 1) }] : []),
                          ...(index < kinds.length - 1
                            ? [{ label: 'Move down', onSelect: () => move(index, index + 1) }]
                            : []),
                          {
                            label: 'Stop offering',
                            onSelect: () =>
                              change(kinds.toSpliced(index, 1), `${name} is no longer offered. Guests keep theirs.`),
                          },
                        ]}
                      />
                    )}
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      )}
      <Drawer
        open={open !== null}
        onClose={() => setOpen(null)}
        title={open === null || open === 'new' ? 'Add a kind of ticket' : `Edit ${open.name}`}
      >
        {open && (
          <TicketKindForm
            kind={open === 'new' ? null : open}
            found={found}
            save={save}
            onSaved={(next, name) => {
              setOpen(null)
              onSaved(next, `${name} was saved. The change is live.`)
            }}
          />
        )}
      </Drawer>
    </Panel>
  )
}

function priceOf({ price, memberPrice }: TicketKind): string {
  const money = (cents: number) => (cents === 0 ? 'free' : formatMoney(cents, region().currency))
  const text = memberPrice === null ? money(price) : `${money(price)}, members ${money(memberPrice)}`
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function whom(kind: TicketKind | undefined, levels: RsvpEvent['levels']): string {
  if (!kind) return ''
  const names = kind.levels.map((key) => levels.find((level) => level.key === key)?.name ?? key)
  return [kind.seats > 1 && `${kind.seats} people`, names.length > 0 && names.join(', ')].filter(Boolean).join(', ')
}
