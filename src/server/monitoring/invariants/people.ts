import { sql } from 'kysely'
import { queryInvariant, type Invariant } from './invariant.ts'

const SHOW = 'Run "npm run admin -- members show ID"'

export const peopleInvariants: Invariant[] = [
  queryInvariant(
    {
      name: 'account-has-names',
      condition: 'Every account not closed by its owner can be found by its email address and its username.',
      remedy: `${SHOW}; its row in login_name is missing, so its owner cannot log in.`,
    },
    () => sql`select a.id from account a where coalesce(a.deactivated_by, '') <> 'self' and (
      not exists (select 1 from login_name n where n.name_key = a.email_key and n.account_id = a.id)
      or not exists (select 1 from login_name n where n.name_key = lower(a.username) and n.account_id = a.id))`,
  ),
  queryInvariant(
    {
      name: 'closed-account-has-no-names',
      condition: 'An account closed by its owner has released its login names.',
      remedy: 'Delete its rows in login_name: until then no one can register with those names.',
    },
    () =>
      sql`select distinct a.id from account a join login_name n on n.account_id = a.id where a.deactivated_by = 'self'`,
  ),
  queryInvariant(
    {
      name: 'name-has-owner',
      condition: 'Every login name belongs to an account or is reserved for an address.',
      remedy: 'Delete that row in login_name.',
    },
    () => sql`select name_key as id from login_name where (account_id is null) = (reserved_for is null)`,
  ),
  queryInvariant(
    {
      name: 'one-account-an-address',
      condition: 'An email address belongs to at most one open account.',
      remedy: `${SHOW} for both, and have an officer decide which one to disable.`,
    },
    () =>
      sql`select min(id) as id from account where coalesce(deactivated_by, '') <> 'self' group by email_key having count(*) > 1`,
  ),
  queryInvariant(
    {
      name: 'address-as-compared',
      condition: 'Addresses are compared in lower case.',
      remedy: 'Set email_key to the address in lower case: log-in compares that.',
    },
    () => sql`select id from account where email_key <> lower(trim(email)) union all
      select id from pending_registration where email_key <> lower(trim(email)) union all
      select id from subscriber where email_key <> lower(trim(email))`,
  ),
  queryInvariant(
    {
      name: 'password-is-hashed',
      condition: 'Passwords are stored as Argon2id hashes only; a closed account has none.',
      remedy: 'Run "npm run admin -- members reset ID", and find out who wrote it.',
    },
    () => sql`select id from account where case when deactivated_by = 'self' then password_hash <> '' else password_hash not like '$argon2id$%' end
      union all select id from pending_registration where password_hash not like '$argon2id$%'
      union all select account_id as id from departed_login where password_hash not like '$argon2id$%'`,
  ),
  queryInvariant(
    {
      name: 'link-is-hashed',
      condition: 'Tokens of links in emails are stored as SHA-256 hashes only.',
      remedy: 'Delete that row in one_time_token: its owner can request another link.',
    },
    () => sql`select id from one_time_token where length(token_hash) <> 64`,
  ),
  queryInvariant(
    {
      name: 'closed-account-has-no-session',
      condition: 'An account closed by its owner has no active session.',
      remedy: 'Set revoked_at of these sessions; their tokens are refused in any case.',
    },
    () =>
      sql`select s.id from session s join account a on a.id = s.account_id where a.deactivated_by = 'self' and s.revoked_at is null`,
  ),
  queryInvariant(
    {
      name: 'closed-account-has-no-key',
      condition:
        'Passkeys, authenticator apps and recovery codes belong to accounts that were not closed by their owner.',
      remedy: 'Delete these rows of passkey, second_factor and recovery_code: they no longer give access to anything.',
    },
    () => sql`select 'passkey:' || k.id as id from passkey k where not exists (
        select 1 from account a where a.id = k.account_id and coalesce(a.deactivated_by, '') <> 'self')
      union all select distinct 'second_factor:' || f.account_id as id from (
        select account_id from second_factor union all select account_id from recovery_code) f where not exists (
        select 1 from account a where a.id = f.account_id and coalesce(a.deactivated_by, '') <> 'self')`,
  ),
  queryInvariant(
    {
      name: 'deletion-is-finished',
      condition: 'A requested account deletion is finished within a day.',
      remedy:
        'Start the site, and check with "npm run admin -- outbox" whether its call to the card provider was given up.',
    },
    (now) => sql`select account_id as id from account_deletion where asked_at < ${now - 86_400_000}`,
  ),
  queryInvariant(
    {
      name: 'merged-account-is-closed',
      condition: 'A merged account is closed, and has no payments or memberships.',
      remedy: `${SHOW} for it and the account it was merged into; undo the merge on its page, or set deactivated_by to officer.`,
    },
    () => sql`select g.id from account_merge g where g.undone_at is null and (
      exists (select 1 from account a where a.id = g.merged_id and a.deactivated_by is null)
      or exists (select 1 from payment p where p.account_id = g.merged_id)
      or exists (select 1 from membership m where m.account_id = g.merged_id))`,
  ),
  queryInvariant(
    {
      name: 'registration-is-kept-whole',
      condition: 'A completed registration has an account.',
      remedy: 'Run "npm run admin -- stripe sync": the payment starts the membership again.',
    },
    () => sql`select r.id from pending_registration r where r.completed_at is not null and not exists (
      select 1 from account a where a.email_key = r.email_key)`,
  ),
]
