import { wordingLimits, type ChangedText, type WordingPart } from '#contract/console/emails/email-wordings.ts'
import type { Association } from '#contract/public/association.ts'
import type { Email, EmailBlock, EmailContent } from './email.ts'
import { placeholdersOf, plainText, templateOf, valuesOf, type EmailText } from './words.rules.ts'

/** A text of an email that may be changed. */
export interface EditableText {
  part: WordingPart
  original: string
  /** The names of the values that a changed text may use. */
  placeholders: string[]
}

/** Fills in all values. */
export function fillContent(content: EmailContent): EmailContent<string> {
  return mapTexts(content, plainText)
}

/** The texts of an email that officers may change, in their order. */
export function editableTexts({ content, association }: NonNullable<Email['source']>): EditableText[] {
  const placeholders = Object.keys(allValues(content, association)).sort()
  const texts: EditableText[] = []
  mapTexts(content, (text, part, isFixed) => {
    const original = templateOf(text)
    const isKnown = texts.some((one) => one.part === part && one.original === original)
    if (!isFixed && original !== '' && !isKnown) texts.push({ part, original, placeholders })
    return ''
  })
  return texts
}

/**
 * Why a changed text cannot be used; null if it can.
 * @param required placeholders that it must keep
 */
export function wordingProblem(
  { part, text }: ChangedText,
  { placeholders, required }: { placeholders: readonly string[]; required: readonly string[] },
): string | null {
  const isLine = part !== 'text' && part !== 'note'
  if (text.trim() === '') return 'Please write a text. It cannot be left empty.'
  if (isLine && text.includes('\n')) return 'Please write this text on one line.'
  if (isLine && text.length > wordingLimits.line) return `Please use at most ${wordingLimits.line} characters here.`
  const used = placeholdersOf(text)
  const unknown = used.find((name) => !placeholders.includes(name))
  if (unknown !== undefined)
    return `This email has no value {{${unknown}}}. Use one of ${placeholders.map((name) => `{{${name}}}`).join(', ')}.`
  if (text.replaceAll(/\{\{[^{}]*\}\}/g, '').match(/\{\{|\}\}/))
    return 'A placeholder is incomplete. Write it like {{first_name}}.'
  const missing = required.find((name) => !used.includes(name))
  if (missing !== undefined) return `Please keep {{${missing}}}: this email is about security, and the reader needs it.`
  return null
}

/**
 * Replaces the original texts of an email by changed ones. A changed text with a value that this email does not have is not used: a person must
 * never read a placeholder.
 */
export function rewordSource(
  { content, association }: NonNullable<Email['source']>,
  changes: readonly ChangedText[],
): EmailContent {
  const values = allValues(content, association)
  return mapTexts<EmailText>(content, (text, part, isFixed) => {
    if (isFixed) return text
    const changed = changes.find((one) => one.part === part && one.original === templateOf(text))
    if (!changed || placeholdersOf(changed.text).some((name) => !(name in values))) return text
    const max = typeof text === 'string' ? undefined : text.max
    return { template: changed.text, values, ...(max !== undefined && { max }) }
  })
}

/** Every text may use every value of its email, and the association's. */
function allValues(content: EmailContent, association: Association): Record<string, string> {
  const values: Record<string, string> = {
    association_name: association.name,
    association_short_name: association.shortName,
    association_email: association.email,
  }
  mapTexts(content, (text) => {
    Object.assign(values, valuesOf(text))
    return ''
  })
  return values
}

type ChangeText<Result> = (text: EmailText, part: WordingPart, isFixed: boolean) => Result

function mapTexts<Result extends EmailText>(content: EmailContent, change: ChangeText<Result>): EmailContent<Result> {
  return {
    ...content,
    subject: change(content.subject, 'subject', false),
    preview: change(content.preview, 'preview', false),
    heading: change(content.heading, 'heading', false),
    blocks: content.blocks.map((block): EmailBlock<Result> => {
      switch (block.kind) {
        case 'text':
        case 'note':
          return { ...block, text: change(block.text, block.kind, block.isFixed === true) }
        case 'link':
        case 'code':
          return { ...block, lead: change(block.lead, 'lead', false) }
        default:
          return block
      }
    }),
  }
}
