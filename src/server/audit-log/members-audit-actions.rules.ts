import { actions } from './audit-action-text.rules.ts'

/** Audit actions about members as a whole: rolls, roll calls, planted entries, lists and reports. */
export const MEMBERS_ACTIONS = actions('members', 'none', {
  'roll.frozen': 'froze a roll of members',
  'roll.viewed': 'read a roll of members',
  'roll.objected': 'objected to a roll of members',
  'roll.objection_answered': 'answered an objection to a roll of members',
  'roll.sealed': 'sealed a roll of members',
  'roll.exported': 'exported a roll of members',
  'roll_call.started': 'started a roll call',
  'roll_call.closed': 'closed a roll call',
  'roll_call.post_exported': 'exported names and addresses of members who are silent in a roll call',
  'planted_entry.added': 'added a planted entry to the directory',
  'planted_entry.removed': 'removed a planted entry of the directory',
  'planted_entry.written_to': 'recorded a message for a planted entry of the directory',
  'planted_entry.traced': 'checked a text for copies of the directory',
  'members.exported': 'exported the list of members',
  'members.bulk_started': 'started an action on many members',
  'members.bulk_undone': 'undid an action on many members',
  'report.exported': 'exported the report of members',
})
