import { useState } from 'react'
import { countOf, type OfferedTicketKind, type PartyTicket, type TicketChoice } from '#contract/tickets/tickets.ts'
import { fieldId } from '#web/ui/field.tsx'
import { kindText, mostOf } from './ticket-choice.rules.ts'

interface TicketFieldsProps {
  kinds: readonly OfferedTicketKind[]
  currency: string
  guestsMax: number
  /** What a party that changes has; null for a new one. */
  held: readonly PartyTicket[] | null
  error: string | undefined
  onChosen(chosen: TicketChoice): void
}

/** How many tickets of each kind. */
export function TicketFields({ kinds, currency, guestsMax, held, error, onChosen }: TicketFieldsProps) {
  const [chosen, setChosen] = useState<TicketChoice>(() => (held ?? []).map(({ kind, count }) => ({ kind, count })))
  const id = fieldId('tickets')

  function choose(kind: string, count: number) {
    const next = [...chosen.filter((one) => one.kind !== kind), { kind, count }]
    setChosen(next)
    onChosen(next)
  }

  return (
    <fieldset className="tickets field" name="tickets" id={id} tabIndex={-1} aria-describedby={error && `${id}-error`}>
      <legend>Tickets</legend>
      {kinds.map((kind, index) => {
        const count = countOf(held ?? [], kind.key)
        const most = mostOf(kind, { guestsMax, held })
        const own = fieldId(`ticket${index}`)
        return (
          <div key={kind.key} className="ticket-kind">
            <label htmlFor={own}>{kind.name}</label>
            <p className="small soft" id={`${own}-hint`}>
              {kindText(kind, currency)}
            </p>
            <select
              className="input"
              id={own}
              name={`ticket${index}`}
              defaultValue={String(count)}
              disabled={most === 0}
              aria-describedby={`${own}-hint`}
              onChange={({ target }) => choose(kind.key, Number(target.value))}
            >
              {Array.from({ length: most + 1 }, (_, number) => (
                <option key={number}>{number}</option>
              ))}
            </select>
          </div>
        )
      })}
      {error && (
        <p className="error-text" id={`${id}-error`}>
          {error}
        </p>
      )}
    </fieldset>
  )
}
