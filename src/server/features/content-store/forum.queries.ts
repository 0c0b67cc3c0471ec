import type { ForumMember } from '#contract/public/forum.ts'
import type { Db } from '#server/db/database.ts'

/** The officers of the forum, in display order. */
export async function listForumMembers(db: Db): Promise<ForumMember[]> {
  const rows = await db.selectFrom('forumMember').selectAll().orderBy('position').execute()
  return rows.map((row) => ({
    id: row.id,
    role: row.role,
    name: row.name,
    school: row.school,
    year: row.year,
    iconName: row.iconName,
    bio: JSON.parse(row.bio) as string[],
  }))
}
