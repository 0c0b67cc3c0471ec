import type { ChangedText, EmailWording } from '#contract/console/emails/email-wordings.ts'

/** Names a text in a form. */
export function keyOf({ part, original }: Pick<ChangedText, 'part' | 'original'>): string {
  return `${part}: ${original}`
}

/** The texts that differ from their originals. */
export function changesOf(texts: EmailWording['texts'], values: Readonly<Record<string, string>>): ChangedText[] {
  return texts.flatMap(({ part, original, ...saved }) => {
    const text = values[keyOf({ part, original })] ?? saved.text
    return text.trim() === original ? [] : [{ part, original, text }]
  })
}
