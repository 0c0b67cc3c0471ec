import { useState } from 'react'
import { officerLimits } from '#contract/access.ts'
import { PARTS } from '#contract/parts.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { STARTER_PROFILES, type readSetup } from '#contract/setup/first-steps.ts'
import { errorMessage } from '#web/forms/error-message.ts'
import { FormMessages } from '#web/forms/form-messages.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { logIn } from '#web/session/session.ts'
import { Button } from '#web/ui/button.tsx'
import { ariaDescription, Checkbox, Field, FieldBox, fieldId } from '#web/ui/field.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import { FIRST_STEPS_FIELDS, PART_NAMES, PROFILE_NAMES } from './first-steps.rules.ts'

const loadRules = () => import('./first-steps.rules.ts')
const loadCalls = () => import('./setup-calls.ts')

/** What a new association usually has. */
const USUAL_PARTS = ['events', 'newsletter', 'sponsors']

interface FirstStepsFormProps {
  setup: ReplyOf<typeof readSetup>
  /** The site restarts; `onDone` follows when it runs again. */
  onRestart(): void
  onDone(): void
}

export function FirstStepsForm({ setup, onRestart, onDone }: FirstStepsFormProps) {
  const [ownZone] = useState(() => Intl.DateTimeFormat().resolvedOptions().timeZone)
  const form = useForm({
    order: FIRST_STEPS_FIELDS,
    loadCheck: async () => (await loadRules()).checkFirstSteps,
    prepare: loadCalls,
    errorMessage: (failure) =>
      errorMessage(failure, {
        refused: 'This could not be saved. Check the form and try again.',
        network: 'We couldn’t reach the site. Check your connection and try again; your input is kept.',
      }),
    async send(values) {
      const [{ readFirstSteps }, { begin, waitForSite }] = await Promise.all([loadRules(), loadCalls()])
      const { token, user, restarts } = await begin(readFirstSteps(values))
      logIn({ token, user })
      if (restarts) {
        onRestart()
        await waitForSite(setup.startedAt)
      }
      onDone()
    },
  })
  const { errors } = form
  return (
    <>
      <PageHead
        title="Set up the site"
        lead="Two things to begin with: your association, and you. Everything can be changed later, and visitors see nothing until you open the site."
      />
      <form {...form.props} className="wrap section setup-form">
        <FormMessages form={form} />
        <section className="card" aria-labelledby="your-association">
          <h2 id="your-association">Your association</h2>
          <Field label="Name" name="associationName" autoComplete="organization" error={errors.associationName} />
          <div className="pair">
            <Field
              label="Short name"
              name="shortName"
              autoComplete="off"
              hint="Such as its initials."
              error={errors.shortName}
            />
            <Field label="City" name="city" autoComplete="address-level2" error={errors.city} />
          </div>
          <div className="pair">
            <Field
              label="Country"
              name="country"
              autoComplete="country"
              defaultValue="US"
              maxLength={2}
              hint="Two letters, such as US."
              error={errors.country}
            />
            <Choice
              label="Currency"
              name="currency"
              first={setup.currencies[0] ?? ''}
              options={setup.currencies.map((value) => [value, value.toUpperCase()])}
              hint="Of dues, tickets and sponsorships."
              error={errors.currency}
            />
          </div>
          <Choice
            label="Time zone"
            name="timeZone"
            first={setup.timeZones.includes(ownZone) ? ownZone : 'UTC'}
            options={setup.timeZones.map((value) => [value, value.replaceAll('_', ' ')])}
            hint="Its midnight begins the day everywhere on the site."
            error={errors.timeZone}
          />
          <Choice
            label="Start with the texts for"
            name="profile"
            first={setup.profile}
            options={STARTER_PROFILES.map((value) => [value, PROFILE_NAMES[value]])}
            hint="Membership levels, page texts and what is asked of members. Edit them as you like."
            error={errors.profile}
          />
          <fieldset className="setup-parts">
            <legend>Parts of the site</legend>
            {PARTS.map((part) => (
              <Checkbox
                key={part}
                name={`part-${part}`}
                label={PART_NAMES[part]}
                defaultChecked={USUAL_PARTS.includes(part)}
              />
            ))}
          </fieldset>
        </section>
        <section className="card" aria-labelledby="first-officer">
          <h2 id="first-officer">You, the first officer</h2>
          <p className="soft">You get the president’s role and can pass it on.</p>
          <div className="pair">
            <Field label="First name" name="firstName" autoComplete="given-name" error={errors.firstName} />
            <Field label="Last name" name="lastName" autoComplete="family-name" error={errors.lastName} />
          </div>
          <div className="pair">
            <Field label="Email" name="email" type="email" autoComplete="email" error={errors.email} />
            <Field
              label="Username"
              name="username"
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              error={errors.username}
            />
          </div>
          <div className="pair">
            <PasswordField
              label="Password"
              name="password"
              autoComplete="new-password"
              hint={`At least ${officerLimits.passwordMin} characters.`}
              error={errors.password}
            />
            <PasswordField
              label="Confirm password"
              name="confirmPassword"
              autoComplete="new-password"
              error={errors.confirmPassword}
            />
          </div>
          <Button type="submit" busy={form.isSubmitting} busyLabel="Saving">
            Save and continue
          </Button>
        </section>
      </form>
    </>
  )
}

function Choice({
  label,
  name,
  first,
  options,
  hint,
  error,
}: {
  label: string
  name: string
  first: string
  options: (readonly [value: string, text: string])[]
  hint: string
  error: string | undefined
}) {
  const id = fieldId(name)
  return (
    <FieldBox id={id} label={label} hint={hint} {...(error !== undefined && { error })}>
      <select className="input" id={id} name={name} defaultValue={first} {...ariaDescription({ id, hint, error })}>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </FieldBox>
  )
}
