import * as z from 'zod/mini'
import type { RegistryRecord } from '#contract/console/credentials.ts'
import { foldText } from '#server/db/fold-text.rules.ts'

const text = z.optional(z.nullable(z.string().check(z.maxLength(500))))

/** The part of version 2.1 of the registry's reply that officers see. */
const registryReply = z.object({
  results: z.array(
    z.object({
      number: z.union([z.string(), z.number()]),
      enumeration_type: text,
      basic: z.object({
        first_name: text,
        last_name: text,
        credential: text,
        organization_name: text,
        status: text,
        last_updated: text,
      }),
      addresses: z.optional(z.array(z.object({ address_purpose: text, city: text, state: text }))),
      taxonomies: z.optional(
        z.array(z.object({ desc: text, state: text, license: text, primary: z.optional(z.nullable(z.boolean())) })),
      ),
      other_names: z.optional(z.array(z.object({ first_name: text, last_name: text }))),
    }),
  ),
})

/** The provider with a number; null if the registry has none. @throws ZodError for a reply of another shape */
export function readRegistryReply(reply: unknown, npi: string): RegistryRecord | null {
  const found = registryReply.parse(reply).results.find(({ number }) => String(number) === npi)
  if (!found) return null
  const { basic, addresses = [], taxonomies = [], other_names: names = [] } = found
  const practice = addresses.find(({ address_purpose: purpose }) => purpose === 'LOCATION') ?? addresses[0]
  const isOrganization = found.enumeration_type === 'NPI-2'
  return {
    name: isOrganization ? trimmed(basic.organization_name) : fullName(basic),
    isOrganization,
    otherNames: names.map(fullName).filter(Boolean),
    degree: trimmed(basic.credential),
    isActive: trimmed(basic.status) !== 'D',
    taxonomies: taxonomies
      .toSorted((one, other) => Number(other.primary ?? false) - Number(one.primary ?? false))
      .map(({ desc, state, license }) => ({
        name: trimmed(desc),
        state: trimmed(state),
        license: trimmed(license),
      })),
    place: [trimmed(practice?.city), trimmed(practice?.state)].filter(Boolean).join(', '),
    updatedOn: trimmed(basic.last_updated),
  }
}

/** Whether the claim agrees with the registry: the name in any order and spelling of accents, and a license of the state. */
export function compareWithRegistry(
  claim: { name: string; state: string | null },
  { name, otherNames, taxonomies }: RegistryRecord,
): { name: boolean; state: boolean | null } {
  const claimed = new Set(wordsOf(claim.name))
  const isSame = (one: string) => {
    const words = wordsOf(one)
    return words.length > 0 && words.every((word) => claimed.has(word))
  }
  const states = taxonomies.map(({ state }) => state).filter(Boolean)
  return {
    name: [name, ...otherNames].some(isSame),
    state: claim.state === null || states.length === 0 ? null : states.includes(claim.state.toUpperCase()),
  }
}

function wordsOf(name: string): string[] {
  return foldText(name)
    .split(/[^\p{L}]+/u)
    .filter(Boolean)
}

function fullName(parts: { first_name?: string | null | undefined; last_name?: string | null | undefined }): string {
  return [trimmed(parts.first_name), trimmed(parts.last_name)].filter(Boolean).join(' ')
}

/** The registry writes `--` for what is unknown. */
function trimmed(value: string | null | undefined): string {
  const plain = (value ?? '').trim()
  return plain === '--' ? '' : plain
}
