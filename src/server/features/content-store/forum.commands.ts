import type { ForumMember } from '#contract/forum.ts'
import type { Db } from '#server/db/database.ts'

/** The officers of the forum, in the order they are shown. */
export async function listForumMembers(db: Db): Promise<ForumMember[]> {
  const rows = await db.selectFrom('forum_member').selectAll().orderBy('position').execute()
  return rows.map((row) => ({
    id: row.id,
    role: row.role,
    name: row.name,
    school: row.school,
    year: row.year,
    iconName: row.icon_name,
    bio: JSON.parse(row.bio) as string[],
  }))
}

/** Call with `raiseContentVersion` in one transaction. */
export async function replaceForumMembers(db: Db, members: readonly ForumMember[]): Promise<void> {
  await db.deleteFrom('forum_member').execute()
  if (members.length === 0) return
  await db
    .insertInto('forum_member')
    .values(
      members.map(({ iconName, bio, ...member }, position) => ({
        ...member,
        icon_name: iconName,
        bio: JSON.stringify(bio),
        position,
      })),
    )
    .execute()
}
