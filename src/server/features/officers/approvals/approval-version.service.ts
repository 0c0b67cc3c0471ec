import { hashToken } from '#server/lib/secrets.ts'

/** Changes whenever a sentence does, so that consent applies to exactly these sentences. */
export function consentVersion(sentences: readonly string[]): string {
  return hashToken(sentences.join('\n')).slice(0, 24)
}
