import * as z from 'zod/mini'
import type { ContentValue } from '#contract/console/content.ts'
import { linkField, ownPathField, pictureField } from '#contract/fields.ts'
import { MOST_SLIDES, NEXT_EVENT } from '#contract/public/association.ts'
import { USUAL_FOOTER, USUAL_MENU, withUsualEntries } from '#contract/menu.ts'
import { defineKind, defineSingle, field, slugify, textOf } from '../content-kind.rules.ts'
import { parseRedirect, redirectKey } from '../redirects.rules.ts'
import { defineList, uniqueList } from '../list-kind.rules.ts'
import { optionalList, optionalSwitch, slug } from './fields.schema.ts'

/** First parts of addresses that belong to the site, besides those of its pages. */
export const RESERVED_ADDRESSES = ['api', 'art', 'assets', 'auth', 'documents', 'media', 'sponsor', 'stripe']

const address = z.string().check(
  z.maxLength(80, 'Please keep the address under 80 characters'),
  z.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'Use lowercase letters, digits and hyphens, such as volunteer-with-us'),
  z.refine(
    (text) => !RESERVED_ADDRESSES.includes(text),
    'The site itself uses this address. Please choose another one',
  ),
)

const addedPageSchema = z.object({
  id: slug,
  title: z.string(),
  address,
  description: z.string(),
  picture: z.optional(pictureField),
  pictureAlt: z.optional(z.string()),
  markdown: z.string(),
  more: optionalList(z.object({ label: z.string(), path: ownPathField })),
  menu: z._default(z.enum(['none', 'Events', 'About']), 'none'),
  menuLabel: z.optional(z.string().check(z.maxLength(40, 'Please keep this under 40 characters'))),
  isInFooter: optionalSwitch,
  /** Addresses that it had while it was published; they lead to the current one. */
  formerAddresses: optionalList(slug),
})
export type AddedPageValue = z.infer<typeof addedPageSchema>

/** Pages of officers, besides those with a fixed address. */
export const addedPageKind = defineKind({
  kind: 'added-pages',
  schema: addedPageSchema,
  file: { name: 'added-pages.yaml', idOf: ({ id }) => textOf(id) },
  sortKey: ({ title }) => title,
  label: 'Added pages',
  singular: 'page',
  lead: 'Pages that officers add, each with an address and a place in the menu.',
  section: 'Pages',
  fields: [
    field('line', 'title', 'Title'),
    field('line', 'address', 'Address', {
      isRequired: false,
      hint: 'Follows the name of the site, such as volunteer-with-us; if empty, it is made from the title. If you change it later, the old address leads to the new one.',
    }),
    field('text', 'description', 'Summary', {
      hint: 'One or two sentences, shown under the title and by search engines.',
    }),
    field('markdown', 'markdown', 'Text'),
    field('picture', 'picture', 'Picture', { isRequired: false }),
    field('line', 'pictureAlt', 'Alt text of the picture', { isRequired: false }),
    field('choice', 'menu', 'Menu', {
      options: [
        { value: 'none', label: 'Not in the menu' },
        { value: 'About', label: 'About' },
        { value: 'Events', label: 'Events' },
      ],
      hint: 'It follows the entries that are always there. Change the order under Menu.',
    }),
    field('line', 'menuLabel', 'Menu label', { isRequired: false, hint: 'If empty, the title.' }),
    field('switch', 'isInFooter', 'Also among the links in the footer'),
    field('group', 'more', 'Related links', {
      fields: [field('line', 'label', 'Link text'), field('line', 'path', 'Path', { hint: 'Starts with a slash.' })],
    }),
  ],
  canDelete: true,
  unique: { field: 'address', message: 'Another page has this address. Please choose another one' },
  idFor: ({ title }) => slugify(title),
  addMissing: ({ address: typed, ...value }, id) => ({
    ...value,
    id,
    ...((typed ?? value['title']) !== undefined && { address: typed ?? slugify(value['title']) }),
  }),
  onPublish: keepFormerAddresses,
  initialValue: () => ({ menu: 'none' }),
  title: ({ title }) => textOf(title),
  detail: ({ address: path }) => (textOf(path) ? `/${textOf(path)}` : ''),
  pathOf: (_id, { address: path }) => `/${textOf(path)}`,
})

/** Adds the address that was published before to the former ones. */
function keepFormerAddresses(value: ContentValue, before: ContentValue | null): ContentValue {
  const { formerAddresses: _former, ...rest } = value
  const known = [...((before?.['formerAddresses'] ?? []) as string[]), textOf(before?.['address'])]
  const former = [...new Set(known)].filter((one) => one !== '' && one !== value['address'])
  return former.length > 0 ? { ...rest, formerAddresses: former } : rest
}

const menuItem = z.object({
  /** The path of a page with a fixed address, or the id of an added page. */
  page: z.string().check(z.regex(/^(\/[a-z-]*|[a-z0-9]+(-[a-z0-9]+)*)$/, 'Please choose a page')),
  label: z.optional(z.string().check(z.maxLength(40, 'Please keep this under 40 characters'))),
  footerLabel: z.optional(z.string().check(z.maxLength(40, 'Please keep this under 40 characters'))),
  isHidden: optionalSwitch,
})
export type MenuItem = z.infer<typeof menuItem>

/** The usual entries as items of the menu. */
export const USUAL_ITEMS: readonly MenuItem[] = USUAL_MENU.map(({ path, label }) => {
  const inFooter = USUAL_FOOTER.find((link) => link.path === path)
  return { page: path, label, ...(inFooter && { footerLabel: inFooter.label }) }
})

/** Order and labels of the menu, and labels of the links in the footer. */
export const menuKind = defineList({
  kind: 'menu',
  list: 'pages',
  items: uniqueList(menuItem, 'page', 'Each page can be listed once'),
  file: { name: 'menu.yaml' },
  label: 'Menu',
  lead: 'The order and the labels of the menu, and the labels of the links in the footer. Each entry stays in its own part of the menu: the bar, Events or About.',
  section: 'Pages',
  listLabel: 'Entries',
  fields: [
    field('choice', 'page', 'Page', { options: USUAL_MENU.map(({ path, label }) => ({ value: path, label })) }),
    field('line', 'label', 'Label', {
      isRequired: false,
      hint: 'If empty, the usual one. “Committees” is followed by the years of their term.',
    }),
    field('line', 'footerLabel', 'Label in the footer', {
      isRequired: false,
      hint: 'If empty, the page is not among the links in the footer. For an added page, its own switch decides.',
    }),
    field('switch', 'isHidden', 'Hide it from the menu and the footer; the page stays at its address'),
  ],
  optionsFrom: { page: 'added-pages' },
  // Entries that are not listed stand where they are on the site.
  complete(value, fields) {
    const listed = (value['pages'] ?? []) as ContentValue[]
    const all = withUsualEntries<ContentValue>(listed, USUAL_ITEMS, ({ page }) => textOf(page))
    const options = fields[0]?.fields.find(({ name }) => name === 'page')?.options ?? []
    const added = options.filter((option) => !all.some(({ page }) => page === option.value))
    return { ...value, pages: [...all, ...added.map((option) => ({ page: option.value }))] }
  },
  pathOf: () => '/',
})

const redirectLines = z.array(z.string()).check(
  z.superRefine((lines, context) => {
    const sentence = redirectProblem(lines)
    if (sentence !== null) context.addIssue({ code: 'custom', message: sentence, input: lines })
  }),
)

/** Reports the first line that cannot be read, has the old address of an earlier one, or leads to an old address. */
function redirectProblem(lines: readonly string[]): string | null {
  const read = lines.map(parseRedirect)
  const first = new Map<string, number>()
  for (const [index, redirect] of read.entries()) {
    if (typeof redirect === 'string') return `Line ${index + 1}: ${redirect}`
    const earlier = first.get(redirect.from)
    if (earlier !== undefined) return `Line ${index + 1} has the same old address as line ${earlier}.`
    first.set(redirect.from, index + 1)
  }
  const chained = read.findIndex((redirect) => typeof redirect !== 'string' && first.has(redirectKey(redirect.to)))
  if (chained === -1) return null
  return `Line ${chained + 1} leads to an old address of this list. Lead it to the page itself.`
}

/** Old addresses of a former website. Several lists keep each of them short enough to read, and an import apart from what officers enter. */
export const redirectKind = defineKind({
  kind: 'redirects',
  schema: z.object({ id: slug, title: z.string(), lines: redirectLines }),
  file: { name: 'redirects.yaml', idOf: ({ id }) => textOf(id) },
  sortKey: ({ title }) => title,
  label: 'Redirects',
  singular: 'list of redirects',
  lead: 'Addresses of your former website, and the pages of this site that they lead to.',
  section: 'Pages',
  fields: [
    field('line', 'title', 'Name of the list', { hint: 'For officers only, such as Former website.' }),
    field('lines', 'lines', 'Old and new addresses', {
      hint: 'One redirect per line: the old address, a space or a comma, and the page of this site, such as /2019/05/spring-gala/ /news/spring-gala. You can paste a CSV file with two columns. Up to 300 lines a list. A page that this site has is never redirected, and a redirect begins when its page is published.',
    }),
  ],
  canDelete: true,
  idFor: ({ title }) => slugify(title),
  addMissing: (value, id) => ({ ...value, id }),
  title: ({ title }) => textOf(title),
  detail: ({ lines }) =>
    Array.isArray(lines) ? `${lines.length} ${lines.length === 1 ? 'address' : 'addresses'}` : '',
})

const button = z.object({ label: z.string().check(z.maxLength(40, 'Please keep this short')), path: ownPathField })

const slide = z
  .object({
    title: z.optional(z.string()),
    /** The id of an event, or `NEXT_EVENT`. */
    event: z.optional(z.string()),
    picture: z.optional(pictureField),
    pictureAlt: z.optional(z.string()),
    text: z.optional(z.string()),
    label: z.optional(z.string()),
    path: z.optional(linkField),
  })
  .check(
    // A problem stands at the field that is missing: a draft may leave it out.
    z.refine(({ event, title }) => event !== undefined || title !== undefined, {
      message: 'Enter a title, or choose an event',
      path: ['title'],
    }),
    z.refine(({ event, picture }) => event !== undefined || picture !== undefined, {
      message: 'Choose a picture, or an event',
      path: ['picture'],
    }),
    z.refine(({ label, path }) => label !== undefined || path === undefined, {
      message: 'Enter what the button says',
      path: ['label'],
    }),
    z.refine(({ label, path }) => label === undefined || path !== undefined, {
      message: 'Enter what the button opens',
      path: ['path'],
    }),
  )

const homeSchema = z.object({
  eyebrow: z.string(),
  headline: z.string().check(z.maxLength(80, 'Please keep this under 80 characters')),
  lead: z.string().check(z.maxLength(400, 'Please keep this under 400 characters')),
  join: button,
  learnMore: button,
  slides: z._default(z.array(slide).check(z.maxLength(MOST_SLIDES, `Please use at most ${MOST_SLIDES} slides`)), []),
  /** Upcoming events do not fill the remaining slides. */
  hasOnlyTheseSlides: optionalSwitch,
})
export type HomeValue = z.infer<typeof homeSchema>

export const homeKind = defineSingle({
  kind: 'home',
  schema: homeSchema,
  file: { name: 'home.yaml' },
  label: 'Home page',
  lead: 'The words at the top of the home page, and its slides.',
  section: 'Pages',
  fields: [
    field('line', 'eyebrow', 'Line above the headline'),
    field('line', 'headline', 'Headline'),
    field('text', 'lead', 'Intro'),
    field('line', 'join.label', 'First button', { hint: 'Members see “My membership” instead.' }),
    field('line', 'join.path', 'It opens', { hint: 'Starts with a slash, such as /become-a-member.' }),
    field('line', 'learnMore.label', 'Second button'),
    field('line', 'learnMore.path', 'It opens', { hint: 'Starts with a slash, such as /about.' }),
    field('group', 'slides', 'Slides', {
      hint: `At most ${MOST_SLIDES}. A slide is an event, or a picture with words.`,
      fields: [
        field('line', 'title', 'Title', { isRequired: false, hint: 'An event brings its own title, date and place.' }),
        field('choice', 'event', 'Event', {
          isRequired: false,
          options: [{ value: NEXT_EVENT, label: 'The featured event, or else the next one' }],
        }),
        field('picture', 'picture', 'Picture', {
          isRequired: false,
          hint: 'An event without one shows its own picture.',
        }),
        field('line', 'pictureAlt', 'Alt text of the picture', { isRequired: false }),
        field('text', 'text', 'Text', { isRequired: false }),
        field('line', 'label', 'Button', { isRequired: false }),
        field('line', 'path', 'The button opens', {
          isRequired: false,
          hint: 'A page of this site, such as /contact, or a URL that starts with https://.',
        }),
      ],
    }),
    field('switch', 'hasOnlyTheseSlides', 'Show only these slides; otherwise events fill the remaining ones'),
  ],
  optionsFrom: { event: 'events' },
  addMissing: (value) => ({ slides: [], ...value }),
  pathOf: () => '/',
})
