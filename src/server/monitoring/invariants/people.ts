import { sql } from 'kysely'
import { asked, type Invariant } from './invariant.ts'

const SHOW = 'Look with "npm run admin -- members show ID"'

export const peopleInvariants: Invariant[] = [
  asked(
    {
      name: 'account-has-names',
      sentence: 'Every account that was not closed by its owner can be found by its address and its username.',
      cure: `${SHOW}; its row of login_name is missing, so its owner cannot log in.`,
    },
    () => sql`select a.id from account a where coalesce(a.deactivated_by, '') <> 'self' and (
      not exists (select 1 from login_name n where n.name_key = a.email_key and n.account_id = a.id)
      or not exists (select 1 from login_name n where n.name_key = lower(a.username) and n.account_id = a.id))`,
  ),
  asked(
    {
      name: 'closed-account-has-no-names',
      sentence: 'An account closed by its owner has given its names back.',
      cure: 'Delete the rows of login_name that name it: nobody can register with them now.',
    },
    () =>
      sql`select distinct a.id from account a join login_name n on n.account_id = a.id where a.deactivated_by = 'self'`,
  ),
  asked(
    {
      name: 'name-has-owner',
      sentence: 'A name belongs to an account or is reserved for an address, never to nobody.',
      cure: 'Delete that row of login_name.',
    },
    () => sql`select name_key as id from login_name where (account_id is null) = (reserved_for is null)`,
  ),
  asked(
    {
      name: 'one-account-an-address',
      sentence: 'An address belongs to one open account.',
      cure: `${SHOW} for both, and let an officer decide which is disabled.`,
    },
    () =>
      sql`select min(id) as id from account where coalesce(deactivated_by, '') <> 'self' group by email_key having count(*) > 1`,
  ),
  asked(
    {
      name: 'address-as-compared',
      sentence: 'Addresses are compared in small letters.',
      cure: 'Set email_key to the address in small letters: log-in compares that.',
    },
    () => sql`select id from account where email_key <> lower(trim(email)) union all
      select id from pending_registration where email_key <> lower(trim(email)) union all
      select id from subscriber where email_key <> lower(trim(email))`,
  ),
  asked(
    {
      name: 'password-is-hashed',
      sentence: 'Of passwords only Argon2id hashes are stored; a closed account has none.',
      cure: 'Run "npm run admin -- members reset ID", and find out who wrote it.',
    },
    () => sql`select id from account where case when deactivated_by = 'self' then password_hash <> '' else password_hash not like '$argon2id$%' end
      union all select id from pending_registration where password_hash not like '$argon2id$%'
      union all select account_id as id from departed_login where password_hash not like '$argon2id$%'`,
  ),
  asked(
    {
      name: 'link-is-hashed',
      sentence: 'Of links in letters only SHA-256 hashes are stored.',
      cure: 'Delete that row of one_time_token: whoever needs the link asks for another.',
    },
    () => sql`select id from one_time_token where length(token_hash) <> 64`,
  ),
  asked(
    {
      name: 'closed-account-has-no-session',
      sentence: 'An account closed by its owner is signed in nowhere.',
      cure: 'Set revoked_at of these sessions; their tokens are refused all the same.',
    },
    () =>
      sql`select s.id from session s join account a on a.id = s.account_id where a.deactivated_by = 'self' and s.revoked_at is null`,
  ),
  asked(
    {
      name: 'closed-account-has-no-key',
      sentence:
        'Passkeys, authenticator apps and recovery codes belong to accounts that were not closed by their owner.',
      cure: 'Delete these rows of passkey, second_factor and recovery_code: they open nothing any more.',
    },
    () => sql`select 'passkey:' || k.id as id from passkey k where not exists (
        select 1 from account a where a.id = k.account_id and coalesce(a.deactivated_by, '') <> 'self')
      union all select distinct 'second_factor:' || f.account_id as id from (
        select account_id from second_factor union all select account_id from recovery_code) f where not exists (
        select 1 from account a where a.id = f.account_id and coalesce(a.deactivated_by, '') <> 'self')`,
  ),
  asked(
    {
      name: 'deletion-is-finished',
      sentence: 'A deletion that was asked for is finished within a day.',
      cure: 'Start the site, and see in "npm run admin -- outbox" whether its call to the card provider was given up.',
    },
    (now) => sql`select account_id as id from account_deletion where asked_at < ${now - 86_400_000}`,
  ),
  asked(
    {
      name: 'merged-account-is-closed',
      sentence: 'An account that was merged is closed, and nothing that was paid or is held belongs to it.',
      cure: `${SHOW} for it and the account it went into; undo the merge on its page, or set deactivated_by to officer.`,
    },
    () => sql`select g.id from account_merge g where g.undone_at is null and (
      exists (select 1 from account a where a.id = g.merged_id and a.deactivated_by is null)
      or exists (select 1 from payment p where p.account_id = g.merged_id)
      or exists (select 1 from membership m where m.account_id = g.merged_id))`,
  ),
  asked(
    {
      name: 'registration-is-kept-whole',
      sentence: 'A registration that became an account has that account.',
      cure: 'Run "npm run admin -- stripe sync": what was paid starts the membership anew.',
    },
    () => sql`select r.id from pending_registration r where r.completed_at is not null and not exists (
      select 1 from account a where a.email_key = r.email_key)`,
  ),
]
