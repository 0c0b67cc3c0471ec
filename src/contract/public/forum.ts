/** An officer of the forum for those in training. */
export interface ForumMember {
  /** The role as a slug: president, president-elect, secretary or treasurer. */
  id: string
  role: string
  name: string
  school: string
  /** Training level, such as 'Fourth-year student'. */
  year: string
  /** A lucide icon, shown if there is no image. */
  iconName: string
  /** Paragraphs. */
  bio: string[]
}
