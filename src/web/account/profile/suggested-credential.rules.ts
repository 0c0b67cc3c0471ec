import type { CredentialKind } from '#contract/public/credentials.ts'

/** A default for the form, guessed from the key of the member's level. */
export function suggestedCredential(levelKey: string | undefined): CredentialKind {
  if (levelKey && /student/.test(levelKey)) return 'student'
  return levelKey && /resident|fellow/.test(levelKey) ? 'resident' : 'licence'
}
