import { useState } from 'react'
import {
  ACCOUNT_LABELS,
  ACCOUNT_ROLES,
  accountNameMax,
  saveAccounting,
  type AccountRole,
} from '#contract/console/money/year.ts'
import { MONTHS } from '#contract/dates/days.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { DraftFormMessages } from '#web/console/forms/draft-form-messages.tsx'
import { SelectField } from '#web/console/forms/select-field.tsx'
import { useDraftForm } from '#web/console/forms/use-draft-form.ts'
import { officerErrorMessage } from '#web/console/shell/call-as-officer.ts'
import { saveAsOfficer } from '#web/console/shell/save-as-officer.ts'
import { Drawer } from '#web/console/ui/drawer.tsx'
import { Panel } from '#web/console/ui/panel.tsx'
import { showToast } from '#web/console/ui/toasts.tsx'

const FIELDS = {
  fiscalYearBeginsIn: 'Fiscal year begins in',
  ...(Object.fromEntries(ACCOUNT_ROLES.map((role) => [role, ACCOUNT_LABELS[role].label])) as Record<
    AccountRole,
    string
  >),
}

interface AccountingProps {
  accounts: Readonly<Record<AccountRole, string>>
  fiscalYearBeginsIn: number
  mayChange: boolean
  onSaved(): void
}

/** What the accountant calls the accounts, and when the fiscal year begins. */
export function AccountingPanel({ accounts, fiscalYearBeginsIn, mayChange, onSaved }: AccountingProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Panel
      title="Account names"
      action={
        mayChange && (
          <Button variant="line" size="small" onClick={() => setOpen(true)}>
            Edit
          </Button>
        )
      }
    >
      <dl className="key-values">
        {ACCOUNT_ROLES.map((role) => (
          <div key={role}>
            <dt>{ACCOUNT_LABELS[role].label}</dt>
            <dd>{accounts[role]}</dd>
          </div>
        ))}
        <div>
          <dt>Fiscal year</dt>
          <dd>Begins in {MONTHS[fiscalYearBeginsIn - 1]}</dd>
        </div>
      </dl>
      <Drawer open={isOpen} onClose={() => setOpen(false)} title="Account names">
        <AccountingForm
          accounts={accounts}
          fiscalYearBeginsIn={fiscalYearBeginsIn}
          onSaved={() => {
            setOpen(false)
            showToast('Account names saved')
            onSaved()
          }}
        />
      </Drawer>
    </Panel>
  )
}

function AccountingForm({ accounts, fiscalYearBeginsIn, onSaved }: Omit<AccountingProps, 'mayChange'>) {
  const form = useDraftForm('accounting', {
    fields: FIELDS,
    saved: { ...accounts, fiscalYearBeginsIn: String(fiscalYearBeginsIn) },
    errorMessage: officerErrorMessage,
    async send({ fiscalYearBeginsIn: month, ...names }) {
      const body = { fiscalYearBeginsIn: Number(month), accounts: names }
      await saveAsOfficer(saveAccounting, { body })
      onSaved()
    },
  })
  return (
    <form {...form.props} className="drawer-form">
      <DraftFormMessages form={form} />
      <p className="small soft">As in the accounting software, sub-accounts with a colon: Income:Dues.</p>
      {ACCOUNT_ROLES.map((role) => (
        <Field
          key={role}
          {...form.field(role)}
          maxLength={accountNameMax}
          autoComplete="off"
          hint={ACCOUNT_LABELS[role].hint}
        />
      ))}
      <SelectField
        {...form.field('fiscalYearBeginsIn')}
        options={MONTHS.map((name, index) => [String(index + 1), name] as const)}
      />
      <Button type="submit" busy={form.isSubmitting} busyLabel="Saving">
        Save
      </Button>
    </form>
  )
}
