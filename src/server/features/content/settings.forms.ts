import { WEEKDAYS } from '#contract/clinic.ts'
import { readSettings, replaceSettings } from '../association/content.repository.ts'
import { settingsSchema } from '../association/settings.ts'
import { field, type ContentGuard } from './content-form.ts'
import { single } from './single-form.ts'

/** Those that are the association's to decide; limits and what belongs to the machinery stay with the webmaster. */
export const settingsForms = [
  settings('association', 'The association', 'Name, address and links, as every page and letter shows them.', [
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
      fields: [field('line', 'label', 'Name'), field('line', 'url', 'Address')],
    }),
  ]),
  settings('clinic', 'Free clinic', 'When and where; the page works out the next days.', [
    field('choice', 'weekday', 'Day of the week', { options: WEEKDAYS }),
    field('ticks', 'weeks', 'Which of the month', {
      options: ['1st', '2nd', '3rd', '4th', '5th'].map((label, index) => ({ value: index + 1, label })),
    }),
    field('time', 'startsAt', 'Begins'),
    field('time', 'endsAt', 'Ends'),
    field('line', 'place', 'Place'),
    field('line', 'mapLink', 'Link to a map'),
  ]),
  settings('year', 'Association year', 'When the year of the association and its officers’ terms begin.', [
    field('line', 'beginsOn', 'First day', { hint: 'Month and day in digits, such as 07-01 for July 1.' }),
  ]),
  settings(
    'membership',
    'Membership',
    'How long rights outlast a failed renewal, and when credentials are looked at again.',
    [
      field('number', 'graceDays', 'Days of grace', {
        hint: 'Up to 90. Changing them needs the permission to change payments.',
      }),
      field('number', 'recheckMonths', 'Months until credentials are looked at again; 0 for never'),
    ],
    [
      {
        field: 'graceDays',
        permission: 'money.change',
        sentence: 'Only an officer who may change payments can change the days of grace',
        of: ({ graceDays }) => graceDays,
      },
    ],
  ),
  settings('scholarships', 'Scholarships', 'When applications close; the console reminds of it 30 days ahead.', [
    field('line', 'deadline', 'Last day to apply', { hint: 'Month and day in digits, such as 11-30 for November 30.' }),
  ]),
  settings('sponsorship', 'Sponsorship', 'What every sponsor is promised and told.', [
    field('number', 'logoMonths', 'Months a logo stays', { hint: 'Up to 60.' }),
    field('text', 'taxWording', 'What a receipt says about tax'),
  ]),
]

function settings(
  key: 'association' | 'clinic' | 'year' | 'membership' | 'scholarships' | 'sponsorship',
  label: string,
  lead: string,
  fields: ReturnType<typeof field>[],
  guards: readonly ContentGuard[] = [],
) {
  return single({
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
