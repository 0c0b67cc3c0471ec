/** A text of an email with named values: officers may change its wording, where `{{first_name}}` stands for a value. */
export interface Words {
  template: string
  values: Readonly<Record<string, string>>
  /** Longer texts are cut. */
  max?: number
}

/** A text without values is its own template. */
export type EmailText = string | Words

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g

/** Tags a text with its values: words`Dear ${{ firstName }},` has the template `Dear {{first_name}},`. */
export function words(
  parts: TemplateStringsArray,
  ...named: readonly Record<string, EmailText | number | null>[]
): Words {
  const values: Record<string, string> = {}
  const names = named.map((value) => {
    const [[name, one] = ['', '']] = Object.entries(value)
    const placeholder = name.replaceAll(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`)
    values[placeholder] = typeof one === 'object' && one !== null ? plainText(one) : String(one ?? '')
    return `{{${placeholder}}}`
  })
  return { template: parts.map((part, index) => part + (names[index] ?? '')).join(''), values }
}

export function templateOf(text: EmailText): string {
  return typeof text === 'string' ? text : text.template
}

export function valuesOf(text: EmailText): Readonly<Record<string, string>> {
  return typeof text === 'string' ? {} : text.values
}

/** The names of a template's placeholders, each once. */
export function placeholdersOf(template: string): string[] {
  return [...new Set([...template.matchAll(PLACEHOLDER)].map(([, name = '']) => name.trim()))]
}

/** The text with its values. Values are never read as templates. */
export function plainText(text: EmailText): string {
  if (typeof text === 'string') return text
  const { template, values, max } = text
  const filled = template.replaceAll(PLACEHOLDER, (whole, name: string) => values[name.trim()] ?? whole)
  return max !== undefined && filled.length > max ? `${filled.slice(0, max - 1).trimEnd()}…` : filled
}
