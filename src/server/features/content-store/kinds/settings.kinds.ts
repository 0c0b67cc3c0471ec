import { ACCOUNT_LABELS, ACCOUNT_ROLES } from '#contract/console/money/year.ts'
import { HEADED_PAGES, type HeadedPage } from '#contract/public/association.ts'
import { PARTS, type Part } from '#contract/parts.ts'
import { WEEKDAYS } from '#contract/public/clinic.ts'
import { defineSingle, field, type ContentGuard, type ContentKind } from '../content-kind.rules.ts'
import type { PublishedRecords } from '../record-set.rules.ts'
import { readStoredSettings } from '../stored-links.rules.ts'
import { CURRENCIES, settingsSchema, type Settings } from '../settings.schema.ts'
import { publishedBrand } from './brand.kinds.ts'

type SettingName = keyof typeof settingsSchema.shape

/** One record for each part of the settings, which share a file. */
export function settingKind<Name extends SettingName>(name: Name) {
  const schema = settingsSchema.shape[name]
  return { kind: `settings-${name}`, schema, file: { name: 'settings.yaml', part: name } }
}

/** What is left to the webmaster: it is in the file only. */
export const technicalSettings: readonly ContentKind[] = (['session', 'newsletter', 'rateLimits'] as const).map(
  (name) => ({ ...settingKind(name), isSingle: true }),
)

const PAGE_NAMES: Record<HeadedPage, string> = {
  becomeAMember: 'Become a member',
  events: 'Events',
  news: 'News',
  faqs: 'FAQs',
  executiveCommittee: 'Executive Committee',
  boardDirectors: 'Board of Directors',
  boardTrustees: 'Board of Trustees',
  committees: 'Committees',
  sponsorUs: 'Sponsor us',
}

const PART_LABELS: Record<Part, string> = {
  events: 'Events, with RSVPs and calendars',
  newsletter: 'Newsletter: archive and subscribing',
  sponsors: 'Sponsor us',
  clinic: 'Free clinic',
  forum: 'Forum for those in training',
  scholarships: 'Scholarships and awards',
}

/** The sentence of these belongs to the term of the body. */
const HEADS_WITHOUT_LEAD: readonly HeadedPage[] = ['executiveCommittee', 'boardDirectors', 'boardTrustees']

/** The settings that officers can edit; rate limits and technical settings are left to the webmaster. */
export const settingKinds = [
  settings('association', 'The association', 'Name, address and links, shown on every page and email.', [
    field('line', 'name', 'Name'),
    field('line', 'shortName', 'Short name'),
    field('number', 'foundedYear', 'Founded in', { isRequired: false }),
    field('line', 'email', 'Email'),
    field('line', 'address.street', 'Street'),
    field('line', 'address.suite', 'Suite', { isRequired: false }),
    field('line', 'address.city', 'City'),
    field('line', 'address.region', 'State or region', { isRequired: false }),
    field('line', 'address.postalCode', 'Postal code', { isRequired: false }),
    field('line', 'mapLink', 'Link to a map'),
    field('line', 'mapEmbed', 'Map in the footer', {
      isRequired: false,
      hint: 'The address in the embed code of a map, such as one of openstreetmap.org. Without it, the footer shows no map.',
    }),
    field('group', 'socialLinks', 'Social media', {
      fields: [field('line', 'label', 'Name'), field('line', 'url', 'URL')],
    }),
    field('line', 'about', 'In one sentence', { isRequired: false, hint: 'Shown below the name in the footer.' }),
    field('line', 'replyTime', 'Messages are answered within', {
      hint: 'Such as 24-48 hours. Promised on the contact page and in emails.',
    }),
    field('line', 'caution.title', 'Before visitors write', {
      isRequired: false,
      hint: 'What messages are not for, such as Not for urgent questions. Shown on the contact page.',
    }),
    field('text', 'caution.text', 'Why', { isRequired: false }),
    field('line', 'caution.emergencyNumber', 'Emergency number', { isRequired: false, hint: 'Such as 911.' }),
    field('line', 'newsletter.title', 'Newsletter: title', { hint: 'Above the form where visitors subscribe.' }),
    field('line', 'newsletter.promise', 'Newsletter: what subscribers get', {
      hint: 'Such as how often it comes and what it is about.',
    }),
  ]),
  settings(
    'region',
    'Region',
    'The association’s country, currency and time zone.',
    [
      field('line', 'country', 'Country', { hint: 'Two letters, such as US.' }),
      field('choice', 'currency', 'Currency', {
        options: CURRENCIES.map((value) => ({ value, label: value.toUpperCase() })),
        hint: 'Of new prices. Amounts that were paid keep theirs, so change it before the first payment.',
      }),
      field('choice', 'timeZone', 'Time zone', {
        options: Intl.supportedValuesOf('timeZone'),
        hint: 'Its midnight begins the day everywhere on the site. A change counts after the next restart.',
      }),
    ],
    [
      {
        field: 'currency',
        permission: 'money.change',
        message: 'Only an officer with permission to change payments can change the currency',
        select: ({ currency }) => currency,
      },
    ],
  ),
  settings(
    'pageHeads',
    'Page introductions',
    'The sentence under the title of a page, and what search engines show of it.',
    HEADED_PAGES.flatMap((page) => [
      ...(HEADS_WITHOUT_LEAD.includes(page)
        ? []
        : [field('text', `${page}.lead`, `${PAGE_NAMES[page]}: under the title`, { isRequired: false })]),
      field('text', `${page}.description`, `${PAGE_NAMES[page]}: in search results`, { isRequired: false }),
    ]),
  ),
  settings(
    'parts',
    'Parts of the site',
    'What visitors find on the site. A part that is off has no page, no place in a menu and no calendar or feed. Its content stays, and you can prepare it here before you turn the part on.',
    PARTS.map((part) => field('switch', part, PART_LABELS[part])),
  ),
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
  settings(
    'notices',
    'Notices of meetings',
    'How long before a meeting its notice is sent: the stricter of the law and your bylaws. A notice outside this time needs a written reason.',
    [
      field('number', 'annualDays', 'Annual meeting: at least this many days before'),
      field('number', 'specialDays', 'Special meeting: at least this many days before'),
      field('number', 'maxDays', 'Any meeting: at most this many days before'),
    ],
  ),
  settings(
    'accounting',
    'Accounting',
    'The fiscal year, and the account names in the journal for the accountant.',
    [
      field('number', 'fiscalYearBeginsIn', 'Month in which the fiscal year begins', { hint: 'From 1 to 12.' }),
      ...ACCOUNT_ROLES.map((role) =>
        field('line', `accounts.${role}`, ACCOUNT_LABELS[role].label, { hint: ACCOUNT_LABELS[role].hint }),
      ),
    ],
    [
      {
        field: 'fiscalYearBeginsIn',
        permission: 'money.change',
        message: 'Only an officer with permission to change payments can change the accounting settings',
        select: (value) => value,
      },
    ],
  ),
  settings(
    'publicDirectory',
    'Public directory',
    'The page where visitors find members who chose to be listed there, with approved credentials.',
    [
      field('switch', 'isOn', 'Show the page, and link it in the menu'),
      field('line', 'title', 'Title', { hint: 'Such as Find a member.' }),
      field('text', 'lead', 'Under the title', { isRequired: false }),
      field('text', 'description', 'In search results', { isRequired: false }),
      field('text', 'caution', 'Note', { hint: 'Below the list: that being listed is no recommendation.' }),
      field('line', 'schemaType', 'What search engines take the people for', {
        hint: 'A type of schema.org, such as Person or Attorney.',
      }),
      field('line', 'slug', 'Second address', {
        isRequired: false,
        hint: 'A second address that leads to the page, such as find-a-member.',
      }),
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
  name: SettingName,
  label: string,
  lead: string,
  fields: ReturnType<typeof field>[],
  guards: readonly ContentGuard[] = [],
) {
  return defineSingle({ ...settingKind(name), label, lead, section: 'Settings', fields, guards })
}

/** Returns the settings, and the names of those whose stored value is no longer valid. @throws ZodError (stored-links.rules.ts) */
export function settingsOf(records: PublishedRecords): { settings: Settings; problems: string[] } {
  const parts = [...settingKinds, ...technicalSettings].flatMap((kind) => {
    const value = records.single(kind)
    return value === null ? [] : [[kind.file.part ?? '', value]]
  })
  const { settings, problems } = readStoredSettings(Object.fromEntries(parts))
  const brand = publishedBrand(records, settings.association.name)
  return { settings: brand ? { ...settings, association: { ...settings.association, brand } } : settings, problems }
}
