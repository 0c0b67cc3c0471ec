import { useId } from 'react'
import { ROLE_NAMES, ROLE_PURPOSES, ROLES } from '#contract/access.ts'
import { assignRole, roleBody, type OfficerTerms } from '#contract/console/console.ts'
import { validate } from '#web/forms/validate.rules.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { callAsOfficer, officerErrorMessage } from '../shell/call-as-officer.ts'
import { DraftFormMessages } from '../forms/draft-form-messages.tsx'
import { useDraftForm } from '../forms/use-draft-form.ts'
import { MemberField } from '../year-rollover/member-field.tsx'

const FIELDS = {
  email: 'Member',
  role: 'Role',
  startsOn: 'First day',
  endsOn: 'Last day',
  name: '',
  accountId: '',
}

interface AssignRoleFormProps {
  year: OfficerTerms['year']
  onAssigned(terms: OfficerTerms, name: string): void
}

/** Gives a member a role for a term; the form is checked before the officer's identity is confirmed. */
export function AssignRoleForm({ year, onAssigned }: AssignRoleFormProps) {
  const rolesId = useId()
  const form = useDraftForm('role', {
    fields: FIELDS,
    initial: () => ({ role: 'viewer', ...year }),
    check: ({ email, role, startsOn, endsOn }) => {
      const { email: problem, ...others } = validate(roleBody, { email, role, startsOn, endsOn })
      return problem ? { ...others, email: 'Choose a member from the list' } : others
    },
    errorMessage: officerErrorMessage,
    async send({ email, role, startsOn, endsOn, name }) {
      const known = ROLES.find((one) => one === role) ?? 'viewer'
      onAssigned(await callAsOfficer(assignRole, { body: { email, role: known, startsOn, endsOn } }), name || email)
    },
  })
  const { values } = form
  return (
    <form {...form.props}>
      <DraftFormMessages form={form} />
      <MemberField
        label={FIELDS.email}
        name="member"
        error={form.errors.email}
        value={{ name: values.name, accountId: values.accountId || null }}
        member={values.accountId ? { name: values.name, email: values.email } : undefined}
        hint="Type a name or email, then choose. They get an email with what to do."
        onChange={({ name, accountId }, member) =>
          form.change({
            name: member ? `${member.firstName} ${member.lastName}` : name,
            accountId: accountId ?? '',
            email: member?.email ?? (accountId === null ? '' : values.email),
          })
        }
      />
      {(['email', 'name', 'accountId'] as const).map((name) => (
        <input key={name} type="hidden" name={name} value={values[name]} />
      ))}
      <fieldset className="role-choices" aria-describedby={form.errors.role ? rolesId : undefined}>
        <legend>{FIELDS.role}</legend>
        {ROLES.map((role) => (
          <label key={role}>
            <input
              type="radio"
              name="role"
              value={role}
              checked={values.role === role}
              onChange={() => form.change({ role })}
            />
            <span>
              <b>{ROLE_NAMES[role]}</b>
              <small>{ROLE_PURPOSES[role]}</small>
            </span>
          </label>
        ))}
        {form.errors.role && (
          <p className="error" id={rolesId}>
            {form.errors.role}
          </p>
        )}
      </fieldset>
      <div className="pair">
        <Field {...form.field('startsOn')} type="date" />
        <Field {...form.field('endsOn')} type="date" hint="The role ends by itself after this day." />
      </div>
      <Button type="submit" busy={form.isSubmitting} busyLabel="Assigning">
        Assign role
      </Button>
    </form>
  )
}
