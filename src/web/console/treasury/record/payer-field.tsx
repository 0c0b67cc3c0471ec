import { useEffect, useId, useState } from 'react'
import { findPayers, type PaymentRow } from '#contract/console/money/record-payments.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { Field } from '#web/ui/field.tsx'
import { callAsOfficer } from '#web/console/shell/call-as-officer.ts'

const PAUSE_MS = 200

type Payer = ReplyOf<typeof findPayers>['payers'][number]

interface PayerFieldProps {
  row: PaymentRow
  number: number
  error: string | undefined
  onChange(changes: Partial<PaymentRow>): void
}

/** The payer's email; typing a name suggests members. Choosing one also chooses the level that the member has. */
export function PayerField({ row, number, error, onChange }: PayerFieldProps) {
  const listId = useId()
  const [payers, setPayers] = useState<readonly Payer[]>([])
  const { kind, email } = row

  useEffect(() => {
    const q = email.trim()
    if (q.length < 2 || payers.some((one) => one.email === q)) return
    const timer = setTimeout(() => {
      callAsOfficer(findPayers, { query: { q } }).then(
        (found) => setPayers(found.payers),
        // Suggestions are a convenience: without them the address is typed.
        () => setPayers([]),
      )
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [email, payers])

  function change(typed: string) {
    const chosen = payers.find((one) => one.email === typed || describe(one) === typed)
    if (!chosen) return onChange({ email: typed })
    const { name, levelKey } = chosen
    onChange({ email: chosen.email, name, ...(kind === 'dues' && levelKey !== null && { levelKey }) })
  }

  return (
    <>
      <Field
        label={kind === 'dues' ? 'Member' : 'Email'}
        name={`email-${number}`}
        list={listId}
        autoComplete="off"
        placeholder={kind === 'dues' ? 'Name or email' : ''}
        value={email}
        {...(kind === 'dues' && row.name !== '' && { hint: row.name })}
        {...(error !== undefined && email.includes('@') && { error })}
        onChange={({ target }) => change(target.value)}
      />
      <datalist id={listId}>
        {payers.map((one) => (
          <option key={one.accountId} value={describe(one)} />
        ))}
      </datalist>
    </>
  )
}

function describe({ name, email, level }: Payer): string {
  return `${name}, ${email}${level === null ? '' : `, ${level}`}`
}
