import type { ForumMember } from '#contract/public/forum.ts'
import type { Db } from '#server/db/database.ts'

/** Call in one transaction with `incrementContentVersion`. */
export async function replaceForumMembers(db: Db, members: readonly ForumMember[]): Promise<void> {
  await db.deleteFrom('forumMember').execute()
  if (members.length === 0) return
  await db
    .insertInto('forumMember')
    .values(
      members.map(({ iconName, bio, ...member }, position) => ({
        ...member,
        iconName,
        bio: JSON.stringify(bio),
        position,
      })),
    )
    .execute()
}
