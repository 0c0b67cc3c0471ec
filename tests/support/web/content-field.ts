import type { ContentField } from '#contract/console/content.ts'

/** A required field of a record's form, for tests of editors. */
export function aField(
  control: ContentField['control'],
  name: string,
  label: string,
  more: Partial<Pick<ContentField, 'options' | 'fields'>> = {},
): ContentField {
  return { name, label, control, hint: null, isRequired: true, isFixed: false, options: [], fields: [], ...more }
}
