import type { CredentialKind } from '#contract/credentials.ts'

/** What somebody probably is by the key of the level they hold; they say it themselves. */
export function suggestedCredential(levelKey: string | undefined): CredentialKind {
  if (levelKey && /student/.test(levelKey)) return 'student'
  return levelKey && /resident|fellow/.test(levelKey) ? 'resident' : 'licence'
}
