import { IMPORT_SYSTEMS, type ImportSystem } from '#contract/console/people/import-systems.ts'
import type { OwnColumn } from '#contract/console/import.ts'
import { headingKey } from '#server/lib/heading-key.rules.ts'

/** The headings of an export, by `headingKey`. */
interface Preset {
  /** Two of them together tell the system. */
  marks: readonly string[]
  /** Which headings fill a column, the best first. Each heading of a status counts. */
  columns: Partial<Record<OwnColumn, readonly string[]>>
  /** 3/2/2026 is the third of February, unless other days in the file show that it is not; otherwise as in the association's country. */
  isDayFirst?: boolean
}

/**
 * Headings of the exports of other systems. Sources, read on the web in November 2026:
 * - Wild Apricot: its help pages "Import: Field Guide" and "Importing members from MemberClicks" (Membership level, Renewal due, Member since, User ID), and public scripts that read its exports (Membership status, Membership enabled, Member bundle ID or email, Member role, e-Mail, Archived).
 * - CiviCRM: the titles of the exported fields in schema/Member/Membership.entityType.php (Membership ID, Member Since, Membership Start Date, Membership Expiration Date). The headings of the contact (Display Name, First Name, Email, Is Deceased) and of type and status are from memory of its export.
 * - MemberClicks: Wild Apricot's help page about its export (Group, Company, Phone Number, Membership Expiration Date), and the attributes of its API as a public plugin reads them (Profile ID, Member Status, Email | Primary, Contact Name, Name | First). Member Type and the join dates are not verified.
 * - Neon CRM: its help page "Preparing Membership Data for Import" (Account ID, Membership Level, Term Start Date, Term End Date, Membership Registration Status, Enrollment Type), and the output fields of its API (Full Name (F), Email 1, Membership Start Date, Membership Expiration Date).
 * - membermojo: two public programs that read its members.csv (membermojo ID, Short URL, Expires on, Renewed on, Member since, Membership, Membership state). That its dates have the day first is not verified; it is a British system.
 */
const PRESETS: Record<ImportSystem, Preset> = {
  'wild-apricot': {
    marks: [
      'renewaldue',
      'membershiplevel',
      'membershipenabled',
      'memberbundleidoremail',
      'memberrole',
      'renewaldatelastchanged',
      'levellastchanged',
    ],
    columns: {
      level: ['membershiplevel', 'memberlevel'],
      startedOn: ['membersince'],
      endsOn: ['renewaldue'],
      status: ['membershipstatus', 'memberstatus', 'archived', 'suspendedmember'],
    },
  },
  civicrm: {
    marks: [
      'membershiptype',
      'membershipexpirationdate',
      'membershipid',
      'contactid',
      'contacttype',
      'primarymemberid',
      'displayname',
    ],
    columns: {
      fullName: ['displayname'],
      level: ['membershiptype'],
      startedOn: ['membersince', 'membershipstartdate'],
      endsOn: ['membershipexpirationdate', 'membershipenddate'],
      status: ['membershipstatus', 'isdeceased', 'contactisdeceased', 'contactisintrash'],
    },
  },
  memberclicks: {
    marks: [
      'profileid',
      'memberstatus',
      'membertype',
      'emailprimary',
      'namefirst',
      'namelast',
      'group',
      'membershipexpirationdate',
    ],
    columns: {
      email: ['emailprimary', 'email', 'emailaddress'],
      firstName: ['namefirst', 'firstname'],
      lastName: ['namelast', 'lastname'],
      fullName: ['contactname'],
      level: ['membertype', 'group'],
      startedOn: ['joindate', 'datejoined', 'membersince'],
      endsOn: ['expirationdate', 'membershipexpirationdate'],
      status: ['memberstatus', 'deceased'],
    },
  },
  neon: {
    marks: [
      'accountid',
      'fullnamef',
      'email1',
      'termstartdate',
      'termenddate',
      'membershipregistrationstatus',
      'enrollmenttype',
      'membershipenrollmenttype',
    ],
    columns: {
      email: ['email1', 'email'],
      fullName: ['fullnamef', 'fullname'],
      level: ['membershiplevel', 'membershipname'],
      startedOn: ['membershipenrollmentdate', 'termstartdate', 'membershipstartdate'],
      endsOn: ['termenddate', 'membershipexpirationdate'],
      status: ['membershipregistrationstatus', 'membershipstatus', 'deceased'],
    },
  },
  membermojo: {
    marks: ['membermojoid', 'shorturl', 'membershipstate', 'renewedon', 'siterole'],
    columns: {
      level: ['membership'],
      startedOn: ['membersince', 'joinedon', 'joined'],
      endsOn: ['expireson', 'expires'],
      status: ['membershipstate'],
    },
    isDayFirst: true,
  },
}

/** The system that wrote a file with these headings; null if two of its marks are not among them. */
export function recognizeSystem(headings: readonly string[]): ImportSystem | null {
  const keys = new Set(headings.map(headingKey))
  const found = IMPORT_SYSTEMS.map((system) => ({
    system,
    marks: PRESETS[system].marks.filter((mark) => keys.has(mark)).length,
  })).toSorted((one, other) => other.marks - one.marks)
  return found[0] && found[0].marks >= 2 ? found[0].system : null
}

/** Which of our columns each heading is in an export of this system; null where the preset says nothing. */
export function presetColumns(system: ImportSystem, headings: readonly string[]): (OwnColumn | null)[] {
  const keys = headings.map(headingKey)
  const columns: (OwnColumn | null)[] = headings.map(() => null)
  for (const [column, names] of Object.entries(PRESETS[system].columns) as [OwnColumn, readonly string[]][]) {
    const present = names.filter((name) => keys.includes(name))
    for (const name of column === 'status' ? present : present.slice(0, 1)) columns[keys.indexOf(name)] = column
  }
  return columns
}

/** Whether a system writes the day before the month in every country. */
export function isDayFirst(system: ImportSystem | null): boolean {
  return system !== null && PRESETS[system].isDayFirst === true
}
