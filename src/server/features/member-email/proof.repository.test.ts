import { expect, test } from 'vitest'
import { NOW, useTestDatabase } from '#tests/support/use-test-database.ts'
import { findProof, insertProof, readProof } from './proof.repository.ts'

const db = useTestDatabase()

test('of two officers who seal at the same time, the second changes nothing', async () => {
  const proof = { campaignId: 'meeting', sealedAt: NOW, sealedBy: 'ana', recipients: 'Rao,Ana', pdf: 'QQ==' }
  expect(await insertProof(db(), proof)).toBe(true)
  expect(await insertProof(db(), { ...proof, sealedAt: NOW + 1, sealedBy: 'ben', pdf: 'Qg==' })).toBe(false)
  expect(await readProof(db(), 'meeting')).toEqual(proof)
  expect(await findProof(db(), 'meeting')).toEqual({ sealedAt: NOW, sealedBy: 'ana' })
  expect(await readProof(db(), 'other')).toBeNull()
})
