/** The membership systems whose exports an import of members recognizes by their headings. */
export const IMPORT_SYSTEMS = ['wild-apricot', 'civicrm', 'memberclicks', 'neon', 'membermojo'] as const
export type ImportSystem = (typeof IMPORT_SYSTEMS)[number]

export const IMPORT_SYSTEM_NAMES: Record<ImportSystem, string> = {
  'wild-apricot': 'Wild Apricot',
  civicrm: 'CiviCRM',
  memberclicks: 'MemberClicks',
  neon: 'Neon CRM',
  membermojo: 'membermojo',
}
