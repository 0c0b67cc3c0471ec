import * as z from 'zod/mini'
import { field } from '../content-kind.rules.ts'
import { defineList, uniqueList } from '../list-kind.rules.ts'
import { optionalSwitch } from './fields.schema.ts'

const translation = z.object({
  // Also its anchor on the page.
  language: z.string().check(z.regex(/^[a-z]{2,3}(-[A-Za-z]{2,4})?$/, 'Please use a code such as es, hi or zh-Hans')),
  name: z.string(),
  headline: z.string(),
  nextDayLabel: z.string(),
  placeLabel: z.string(),
  cost: z.string(),
  bring: z.string(),
  draftNote: z.optional(z.string()),
  isChecked: optionalSwitch,
})

/** What patients need to know about the clinic, in other languages than English; the page writes the next day in each. */
export const clinicLanguageKind = defineList({
  kind: 'clinic-languages',
  list: 'languages',
  items: uniqueList(translation, 'language', 'name each language once'),
  file: { name: 'clinic-languages.yaml', isSample: true },
  label: 'Languages at the clinic',
  lead: 'What patients need to know, in their languages. The page adds the next open day and its hours by itself.',
  section: 'Text',
  listLabel: 'Languages',
  fields: [
    field('line', 'name', 'Language, in itself', { hint: 'Such as Español.' }),
    field('line', 'language', 'Code', {
      hint: 'Two letters, such as es, gu, hi or te. Screen readers choose a voice by it.',
    }),
    field('line', 'headline', 'Headline', { hint: '“Free clinic. No insurance needed.”' }),
    field('line', 'nextDayLabel', '“Next open day”'),
    field('line', 'placeLabel', '“Address”'),
    field('text', 'cost', 'What it costs'),
    field('text', 'bring', 'What to bring'),
    field('line', 'draftNote', 'Note on a draft', {
      isRequired: false,
      hint: 'In that language: that a speaker has not checked this yet. Shown until the box below is checked.',
    }),
    field('switch', 'isChecked', 'A speaker has checked this'),
  ],
  pathOf: () => '/clinic',
})
