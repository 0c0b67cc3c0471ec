import { currencySign } from '#contract/money.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import { rsvpSettingsBody, type RsvpEvent, type saveRsvpSettings } from '#contract/console/rsvp.ts'
import { validate, type FormValues, type FieldErrors } from '#web/forms/validate.rules.ts'

export const rsvpSettingsFields = () => ({
  isOpen: 'RSVPs are open on the event’s page',
  capacity: 'Seats',
  guestsMax: 'Guests per person',
  price: `Price per person (${currencySign()})`,
  memberPrice: `Member price (${currencySign()})`,
  refundUntil: 'Refunds until',
  meals: 'Meal choices',
  closesOn: 'Last day for RSVPs',
  creditHours: 'Credit hours',
  words: 'Note above the form',
})
type RsvpSettingsField = keyof ReturnType<typeof rsvpSettingsFields>
type Offered = BodyOf<typeof saveRsvpSettings>

const numberOrNull = (text: string) => (text.trim() === '' ? null : Number(text))

/** '$12.50', '12.50' or '12' in cents. */
const centsOrNull = (text: string) => {
  const dollars = text.trim().replace(/^\$/, '')
  return dollars === '' ? null : Math.round(Number(dollars) * 1e6) / 1e4
}
const dollarsOf = (cents: number | null) => (cents === null ? '' : (cents / 100).toFixed(cents % 100 === 0 ? 0 : 2))

/** Converts the form's values to a request body; meals are one per line. */
export function toRsvpSettings(values: FormValues<RsvpSettingsField>, version: number): Offered {
  return {
    isOpen: values.isOpen === 'on',
    capacity: numberOrNull(values.capacity),
    guestsMax: Number(values.guestsMax || 0),
    meals: values.meals
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean),
    closesOn: values.closesOn || null,
    words: values.words,
    price: centsOrNull(values.price),
    memberPrice: centsOrNull(values.memberPrice),
    refundUntil: values.refundUntil || null,
    creditHours: numberOrNull(values.creditHours),
    version,
  }
}

/** Validates the form; an error in one meal is shown below the meals field. */
export function checkRsvpSettings(values: FormValues<RsvpSettingsField>): FieldErrors<RsvpSettingsField> {
  const found = validate(rsvpSettingsBody, toRsvpSettings(values, 0))
  const entries = Object.entries(found).map(([name, sentence]) => [name.split('.')[0], sentence])
  return Object.fromEntries(entries) as FieldErrors<RsvpSettingsField>
}

/** Converts saved settings to form values. */
export function toFormValues({
  isOpen,
  capacity,
  guestsMax,
  meals,
  closesOn,
  creditHours,
  words,
  price,
  memberPrice,
  refundUntil,
}: RsvpEvent['offer']): FormValues<RsvpSettingsField> {
  return {
    isOpen: isOpen ? 'on' : '',
    capacity: capacity === null ? '' : String(capacity),
    guestsMax: String(guestsMax),
    meals: meals.join('\n'),
    closesOn: closesOn ?? '',
    creditHours: creditHours === null ? '' : String(creditHours),
    words: words ?? '',
    price: dollarsOf(price),
    memberPrice: dollarsOf(memberPrice),
    refundUntil: refundUntil ?? '',
  }
}
