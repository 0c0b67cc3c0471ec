import { accountsMergedEmail, mergeUndoneEmail } from '#server/features/member-admin/merge/merge.emails.ts'
import { association } from '../association.ts'

/** The emails about a merge and its undo. */
export function mergeEmails(firstName: string, url: string) {
  const separated = (needsPassword: boolean) =>
    mergeUndoneEmail(
      { firstName, address: 'a@b.example', needsPassword },
      { loginUrl: url, resetUrl: url },
      association,
    )
  return {
    'accounts merged': accountsMergedEmail(
      { firstName, keptAddress: 'a@b.example', mergedAddress: 'c@d.example' },
      url,
      association,
    ),
    'accounts separated': separated(false),
    'accounts separated, password to choose': separated(true),
  }
}
