import type { Kysely } from 'kysely'
import type { Engine } from '../database.ts'
import * as joining from './0001-joining.ts'
import * as association from './0002-association.ts'
import * as publicPages from './0003-public-pages.ts'
import * as contact from './0004-contact.ts'
import * as sponsorship from './0005-sponsorship.ts'
import * as newsletter from './0006-newsletter.ts'
import * as campaigns from './0007-campaigns.ts'
import * as account from './0008-account.ts'
import * as membershipLife from './0009-membership-life.ts'
import * as credentials from './0010-credentials.ts'
import * as console from './0011-console.ts'
import * as membersConsole from './0012-members-console.ts'
import * as contentEditing from './0013-content-editing.ts'
import * as letters from './0014-letters.ts'
import * as events from './0015-events.ts'
import * as passkeys from './0016-passkeys.ts'
import * as membersImport from './0017-members-import.ts'
import * as viewsAndRechecks from './0018-views-and-rechecks.ts'
import * as dues from './0019-dues.ts'
import * as rollOver from './0020-roll-over.ts'
import * as paidRsvps from './0022-paid-rsvps.ts'
import * as calledOffEvents from './0024-called-off-events.ts'
import * as shippedContent from './0025-shipped-content.ts'
import * as sponsorshipReturns from './0026-sponsorship-returns.ts'
import * as officerActs from './0027-officer-acts.ts'
import * as secondOfficers from './0028-second-officers.ts'
import * as paymentCredits from './0029-payment-credits.ts'
import * as pictureDetails from './0030-picture-details.ts'
import * as emailPriority from './0031-email-priority.ts'
import * as rsvpRequests from './0033-rsvp-requests.ts'
import * as importsAndSearch from './0034-imports-and-search.ts'
import * as plainNames from './0035-plain-names.ts'
import * as outboxSubject from './0036-outbox-subject.ts'
import * as contentRecords from './0037-content-records.ts'
import * as people from './0038-people.ts'
import * as ledger from './0040-ledger.ts'
import * as statements from './0041-statements.ts'
import * as documents from './0042-documents.ts'
import * as homeWords from './0043-home-words.ts'
import * as guestMessages from './0044-guest-messages.ts'
import * as notesAndDeadlines from './0045-notes-and-deadlines.ts'
import * as declinedEvents from './0046-declined-events.ts'
import * as memberRecord from './0047-member-record.ts'
import * as directory from './0048-directory.ts'
import * as profile from './0049-profile.ts'
import * as referencesAndImports from './0050-references-and-imports.ts'
import * as credentialAnswers from './0051-credential-answers.ts'
import * as card from './0052-card.ts'
import * as memberEmails from './0053-member-emails.ts'
import * as roll from './0054-roll.ts'
import * as ticketKinds from './0055-ticket-kinds.ts'
import * as siteSetup from './0056-site-setup.ts'
import * as earlierSystems from './0057-earlier-systems.ts'
import * as contentImport from './0058-content-import.ts'
import * as recordFilters from './0059-record-filters.ts'
import * as subscriptionImports from './0060-subscription-imports.ts'
import * as plantedEntries from './0061-planted-entries.ts'
import * as levelNames from './0062-level-names.ts'
import * as largeLists from './0063-large-lists.ts'
import * as longLists from './0064-long-lists.ts'
import * as listedMembers from './0065-listed-members.ts'
import * as largeTables from './0066-large-tables.ts'
import * as hashedAddresses from './0067-hashed-addresses.ts'
import * as paymentReferences from './0068-payment-references.ts'
import * as dueCredentials from './0069-due-credentials.ts'

interface Migration {
  up(db: Kysely<unknown>, engine: Engine, now: number): Promise<void>
}

/** Numbered, forward only, never edited after a release. */
export const migrations: Record<string, Migration> = {
  '0001-joining': joining,
  '0002-association': association,
  '0003-public-pages': publicPages,
  '0004-contact': contact,
  '0005-sponsorship': sponsorship,
  '0006-newsletter': newsletter,
  '0007-campaigns': campaigns,
  '0008-account': account,
  '0009-membership-life': membershipLife,
  '0010-credentials': credentials,
  '0011-console': console,
  '0012-members-console': membersConsole,
  '0013-content-editing': contentEditing,
  '0014-letters': letters,
  '0015-events': events,
  '0016-passkeys': passkeys,
  '0017-members-import': membersImport,
  '0018-views-and-rechecks': viewsAndRechecks,
  '0019-dues': dues,
  '0020-roll-over': rollOver,
  '0022-paid-rsvps': paidRsvps,
  '0024-called-off-events': calledOffEvents,
  '0025-shipped-content': shippedContent,
  '0026-sponsorship-returns': sponsorshipReturns,
  '0027-officer-acts': officerActs,
  '0028-second-officers': secondOfficers,
  '0029-payment-credits': paymentCredits,
  '0030-picture-details': pictureDetails,
  '0031-email-priority': emailPriority,
  '0033-rsvp-requests': rsvpRequests,
  '0034-imports-and-search': importsAndSearch,
  '0035-plain-names': plainNames,
  '0036-outbox-subject': outboxSubject,
  '0037-content-records': contentRecords,
  '0038-people': people,
  '0040-ledger': ledger,
  '0041-statements': statements,
  '0042-documents': documents,
  '0043-home-words': homeWords,
  '0044-guest-messages': guestMessages,
  '0045-notes-and-deadlines': notesAndDeadlines,
  '0046-declined-events': declinedEvents,
  '0047-member-record': memberRecord,
  '0048-directory': directory,
  '0049-profile': profile,
  '0050-references-and-imports': referencesAndImports,
  '0051-credential-answers': credentialAnswers,
  '0052-card': card,
  '0053-member-emails': memberEmails,
  '0054-roll': roll,
  '0055-ticket-kinds': ticketKinds,
  '0056-site-setup': siteSetup,
  '0057-earlier-systems': earlierSystems,
  '0058-content-import': contentImport,
  '0059-record-filters': recordFilters,
  '0060-subscription-imports': subscriptionImports,
  '0061-planted-entries': plantedEntries,
  '0062-level-names': levelNames,
  '0063-large-lists': largeLists,
  '0064-long-lists': longLists,
  '0065-listed-members': listedMembers,
  '0066-large-tables': largeTables,
  '0067-hashed-addresses': hashedAddresses,
  '0068-payment-references': paymentReferences,
  '0069-due-credentials': dueCredentials,
}
