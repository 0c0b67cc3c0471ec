import { hashToken } from '#server/platform/secrets.ts'

/** Changes whenever a sentence does: whoever agrees, agrees to exactly these. */
export function versionOfSentences(sentences: readonly string[]): string {
  return hashToken(sentences.join('\n')).slice(0, 24)
}
