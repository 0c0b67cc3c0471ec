/** An officer of the medical students and residents forum. */
export interface ForumMember {
  /** President, president elect, secretary or treasurer, as an address would write it. */
  id: string
  role: string
  name: string
  school: string
  /** Training level, such as 'Fourth-year medical student'. */
  year: string
  /** An icon of lucide, shown where there is no picture. */
  iconName: string
  /** Paragraphs. */
  bio: string[]
}
