import { accountsMergedLetter, accountsSeparatedLetter } from '#server/features/membership/merge.emails.ts'
import { association } from './association.ts'

/** The emails about a merge and its undoing. */
export function mergeLetters(firstName: string, url: string) {
  const separated = (needsPassword: boolean) =>
    accountsSeparatedLetter(
      { firstName, address: 'a@b.example', needsPassword },
      { loginUrl: url, resetUrl: url },
      association,
    )
  return {
    'accounts merged': accountsMergedLetter(
      { firstName, keptAddress: 'a@b.example', mergedAddress: 'c@d.example' },
      url,
      association,
    ),
    'accounts separated': separated(false),
    'accounts separated, password to choose': separated(true),
  }
}
