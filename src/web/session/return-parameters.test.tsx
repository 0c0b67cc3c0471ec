import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { useReturnParameters } from './return-parameters.ts'

const ADDRESS = { names: ['token', 'email'], secrets: ['token'] } as const

function Reader() {
  return <output>{JSON.stringify(useReturnParameters(ADDRESS))}</output>
}

const seen = () => JSON.parse(screen.getByRole('status').textContent ?? '') as unknown
const bar = () => window.location.pathname + window.location.search + window.location.hash

function openAt(address: string) {
  window.history.replaceState(null, '', address)
  return render(<Reader />)
}

beforeEach(() => sessionStorage.clear())
afterEach(cleanup)

describe('a link that carries a secret', () => {
  test.each([
    ['behind the #, as emails have it', '/rsvp#token=a.b%2Bc'],
    ['behind the ?, as emails before 2027 have it', '/rsvp?token=a.b%2Bc'],
  ])('%s: is read, then scrubbed from the address bar', (_, address) => {
    openAt(address)
    expect(seen()).toEqual({ token: 'a.b+c' })
    expect(bar()).toBe('/rsvp')
  })

  test('survives a reload', () => {
    const { unmount } = openAt('/rsvp#token=secret')
    unmount()
    render(<Reader />)
    expect(seen()).toEqual({ token: 'secret' })
  })

  test('other parameters stay, and so does a fragment without secrets', () => {
    openAt('/rsvp?email=a%40example.com#rsvp')
    expect(seen()).toEqual({ email: 'a@example.com' })
    expect(bar()).toBe('/rsvp?email=a%40example.com#rsvp')
  })

  test('another link opened in the same tab replaces it', () => {
    openAt('/rsvp#token=first')
    act(() => {
      window.history.replaceState(null, '', '/rsvp#token=second')
      window.dispatchEvent(new HashChangeEvent('hashchange'))
    })
    expect(seen()).toEqual({ token: 'second' })
    expect(bar()).toBe('/rsvp')
  })
})
