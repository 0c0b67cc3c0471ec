import * as z from 'zod/mini'
import { pictureField } from '#contract/fields.ts'
import { AUDIENCES, INKS, LEVEL_SPOTS, type Audience } from '#contract/public/membership.ts'
import { defineSingle, field } from '../content-kind.rules.ts'
import { uniqueList } from '../list-kind.rules.ts'

const AUDIENCE_LABELS: Record<Audience, string> = {
  practice: 'In practice',
  training: 'In training',
  aims: 'Others who share our aims',
}
const AUDIENCE_OPTIONS = AUDIENCES.map((value) => ({ value, label: AUDIENCE_LABELS[value] }))

function namedOptions(names: readonly string[]) {
  return names.map((value) => ({ value, label: value.charAt(0).toUpperCase() + value.slice(1) }))
}

const level = z.object({
  level: z.string(),
  audiences: z._default(z.array(z.enum(AUDIENCES)), []),
  benefits: z._default(z.array(z.string()), []),
  note: z.optional(z.string()),
  spot: z.optional(z.enum(LEVEL_SPOTS)),
  ink: z.optional(z.enum(INKS)),
  isFeatured: z._default(z.boolean(), false),
})
const aside = z.object({ audience: z.enum(AUDIENCES), title: z.string(), text: z.optional(z.string()) })

const choice = z.object({ audience: z.enum(AUDIENCES), title: z.string(), text: z._default(z.string(), '') })

/** Also for records from before there were choices. */
export const DEFAULT_CHOICES: z.infer<typeof choice>[] = [
  { audience: 'practice', title: 'I am in practice', text: '' },
  { audience: 'training', title: 'I am in training', text: '' },
  { audience: 'aims', title: 'I share your aims', text: '' },
]

const joinPageSchema = z.object({
  choices: z._default(uniqueList(choice, 'audience', 'use each answer once'), DEFAULT_CHOICES),
  levels: z._default(uniqueList(level, 'level', 'name each level once'), []),
  asides: z._default(uniqueList(aside, 'audience', 'use each answer once'), []),
  voice: z.optional(
    z.object({
      quote: z.string(),
      name: z.string(),
      detail: z.optional(z.string()),
      portrait: z.optional(pictureField),
    }),
  ),
  // The answers are Markdown.
  questions: z._default(z.array(z.object({ question: z.string(), answer: z.string() })), []),
})

/** What the page that sells memberships says about them; names, prices and terms are the levels' own. */
export const joinPageKind = defineSingle({
  kind: 'join-page',
  schema: joinPageSchema,
  file: { name: 'join-page.yaml', isSample: true },
  label: 'Become a member',
  lead: 'What the page says about each membership level. Prices and terms are not changed here.',
  section: 'Support',
  fields: [
    field('group', 'levels', 'Membership levels', {
      fields: [
        field('line', 'level', 'Level', { hint: 'Its name as on the page, such as Annual Member.' }),
        field('ticks', 'audiences', 'For', { isRequired: false, options: AUDIENCE_OPTIONS }),
        field('lines', 'benefits', 'Benefits', { isRequired: false, hint: 'One per line; four fit best.' }),
        field('line', 'note', 'Below the button', { isRequired: false, hint: 'Such as how it renews.' }),
        field('choice', 'spot', 'Illustration', { isRequired: false, options: namedOptions(LEVEL_SPOTS) }),
        field('choice', 'ink', 'Its background', { isRequired: false, options: namedOptions(INKS) }),
        field('switch', 'isFeatured', 'Recommended'),
      ],
    }),
    field('group', 'choices', 'Which of these is you?', {
      fields: [
        field('choice', 'audience', 'For', { options: AUDIENCE_OPTIONS }),
        field('line', 'title', 'Answer', { hint: 'Such as I am in training.' }),
        field('line', 'text', 'Below it', { isRequired: false }),
      ],
    }),
    field('group', 'asides', 'A word beside the levels', {
      fields: [
        field('choice', 'audience', 'For', { options: AUDIENCE_OPTIONS }),
        field('line', 'title', 'Sentence'),
        field('text', 'text', 'Below it', { isRequired: false }),
      ],
    }),
    field('text', 'voice.quote', 'A member’s words', { isRequired: false }),
    field('line', 'voice.name', 'Who says so', { isRequired: false }),
    field('line', 'voice.detail', 'About that person', {
      isRequired: false,
      hint: 'Such as: Springfield. Member since 2024.',
    }),
    field('picture', 'voice.portrait', 'Portrait', { isRequired: false }),
    field('group', 'questions', 'Before you join', {
      fields: [field('line', 'question', 'Question'), field('markdown', 'answer', 'Answer')],
    }),
  ],
  pathOf: () => '/become-a-member',
})
