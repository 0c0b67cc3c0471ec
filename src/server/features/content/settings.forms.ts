import { WEEKDAYS } from '#contract/public/clinic.ts'
import { readSettings } from '#server/features/content-store/content.queries.ts'
import { replaceSettings } from '#server/features/content-store/content.commands.ts'
import { settingsSchema } from '#server/features/content-store/settings.schema.ts'
import { field, type ContentGuard } from './form-builder.rules.ts'
import { singleRecordForm } from './single.forms.ts'

/** The settings that officers can edit; rate limits and technical settings are left to the webmaster. */
export const settingsForms = [
  settings('association', 'The association', 'Name, address and links, shown on every page and email.', [
    field('line', 'name', 'Name'),
    field('line', 'shortName', 'Short name'),
    field('number', 'foundedYear', 'Founded in'),
    field('line', 'email', 'Email'),
    field('line', 'address.street', 'Street'),
    field('line', 'address.suite', 'Suite'),
    field('line', 'address.city', 'City'),
    field('line', 'address.region', 'State'),
    field('line', 'address.postalCode', 'ZIP code'),
    field('line', 'mapLink', 'Link to a map'),
    field('group', 'socialLinks', 'Social media', {
      fields: [field('line', 'label', 'Name'), field('line', 'url', 'URL')],
    }),
  ]),
  settings('clinic', 'Free clinic', 'When and where. The page calculates the next dates.', [
    field('choice', 'weekday', 'Day of the week', { options: WEEKDAYS }),
    field('ticks', 'weeks', 'Weeks of the month', {
      options: ['1st', '2nd', '3rd', '4th', '5th'].map((label, index) => ({ value: index + 1, label })),
    }),
    field('time', 'startsAt', 'Starts'),
    field('time', 'endsAt', 'Ends'),
    field('line', 'place', 'Place'),
    field('line', 'mapLink', 'Link to a map'),
  ]),
  settings('year', 'Association year', 'When the association’s year and its officers’ terms begin.', [
    field('line', 'beginsOn', 'First day', { hint: 'Month and day in digits, such as 07-01 for July 1.' }),
  ]),
  settings(
    'membership',
    'Membership',
    'How long members keep their benefits after a failed renewal, and when credentials are rechecked.',
    [
      field('number', 'graceDays', 'Grace period in days', {
        hint: 'Up to 90. Changing it requires the permission to change payments.',
      }),
      field('number', 'recheckMonths', 'Months until credentials are rechecked; 0 for never'),
    ],
    [
      {
        field: 'graceDays',
        permission: 'money.change',
        message: 'Only an officer with permission to change payments can change the grace period',
        select: ({ graceDays }) => graceDays,
      },
    ],
  ),
  settings('scholarships', 'Scholarships', 'When applications close. The console shows a reminder 30 days before.', [
    field('line', 'deadline', 'Application deadline', {
      hint: 'Month and day in digits, such as 11-30 for November 30.',
    }),
  ]),
  settings('sponsorship', 'Sponsorship', 'What every sponsor receives.', [
    field('number', 'logoMonths', 'Months the logo is shown', { hint: 'Up to 60.' }),
    field('text', 'taxWording', 'Tax statement on receipts'),
  ]),
]

function settings(
  key: 'association' | 'clinic' | 'year' | 'membership' | 'scholarships' | 'sponsorship',
  label: string,
  lead: string,
  fields: ReturnType<typeof field>[],
  guards: readonly ContentGuard[] = [],
) {
  return singleRecordForm({
    kind: `settings-${key}`,
    label,
    lead,
    section: 'Settings',
    schema: settingsSchema.shape[key],
    fields,
    guards,
    read: async (db) => (await readSettings(db))[key],
    publish: (db, value) => replaceSettings(db, { [key]: value }),
  })
}
