import { region } from '#contract/region.ts'
import { useState } from 'react'
import { currencyName, formatMoney } from '#contract/money.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { FilterChip } from '../list/chip-panel.tsx'
import type { ListState } from '../list/use-list.ts'
import { dollarsOf, readAmountSpan } from './span.rules.ts'

/** A chip for the least and the most of an amount. */
export function AmountFilter({ list }: { list: Pick<ListState, 'filters' | 'change'> }) {
  const [least, most] = ['least', 'most'].map((name) => Number(list.filters[name]?.[0] ?? Number.NaN))
  const isSet = Number.isFinite(least) || Number.isFinite(most)
  const text = [
    Number.isFinite(least) ? `from ${formatMoney(least ?? 0, region().currency)}` : '',
    Number.isFinite(most) ? `up to ${formatMoney(most ?? 0, region().currency)}` : '',
  ]
  return (
    <FilterChip
      label="Amount"
      chosen={isSet ? text.filter(Boolean).join(' ') : null}
      onRemove={() => list.change({ least: null, most: null })}
    >
      {(close) => <AmountForm least={least} most={most} onChange={(next) => (list.change(next), close())} />}
    </FilterChip>
  )
}

interface AmountFormProps {
  least: number | undefined
  most: number | undefined
  onChange(next: { least: string | null; most: string | null }): void
}

function AmountForm({ least, most, onChange }: AmountFormProps) {
  const typed = (cents: number | undefined) => (Number.isFinite(cents) ? dollarsOf(cents ?? 0) : '')
  const [from, setFrom] = useState(typed(least))
  const [to, setTo] = useState(typed(most))
  const [isChecked, setChecked] = useState(false)
  const { least: lower, most: upper, errors } = readAmountSpan(from, to)
  const asFilter = (cents: number | null) => (cents === null ? null : String(cents))
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        const wrong = errors.least ? 'least' : errors.most ? 'most' : null
        setChecked(wrong !== null)
        if (wrong) event.currentTarget.querySelector<HTMLInputElement>(`[name=${wrong}]`)?.focus()
        else onChange({ least: asFilter(lower), most: asFilter(upper) })
      }}
    >
      <Field
        label={`At least, in ${currencyName()}`}
        name="least"
        inputMode="decimal"
        value={from}
        onChange={({ target }) => setFrom(target.value)}
        {...(isChecked && errors.least && { error: errors.least })}
      />
      <Field
        label={`At most, in ${currencyName()}`}
        name="most"
        inputMode="decimal"
        value={to}
        onChange={({ target }) => setTo(target.value)}
        {...(isChecked && errors.most && { error: errors.most })}
      />
      <Button type="submit" size="small" variant="line">
        Apply
      </Button>
    </form>
  )
}
