import { describe } from 'vitest'
import { test } from './steps/journey.ts'
import { GOOD_CARD, payWith, register, verificationLink } from './steps/joining.ts'
import { seeHeading, seeText } from './steps/expectations.ts'
import { admin, openConsoleWithApp } from './steps/officers.ts'
import { newPerson } from './steps/people.ts'

describe('dues', () => {
  test('a treasurer raises a price after a preview and creates a coupon; a new member pays the discounted price', async ({
    arrive,
    mailbox,
    site,
  }) => {
    const { email, username } = newPerson()
    const said = await admin(site, 'create-officer', email, username, 'Lakshmi', 'Iyer')
    const treasurer = await arrive()
    await openConsoleWithApp(treasurer, { identifier: email, password: /^ {2}(\S{16})$/m.exec(said)?.[1] ?? '' })

    await treasurer.getByRole('link', { name: 'Dues & prices', exact: true }).click()
    await treasurer.getByRole('link', { name: 'Resident or Fellow' }).click()
    await treasurer.getByLabel('New price ($)').fill('30')
    await treasurer.getByRole('button', { name: 'Preview the effects' }).click()
    await seeText(treasurer, 'From now on, new members pay $30 instead of $25.')
    await treasurer.getByRole('button', { name: 'Change price now' }).click()
    await seeText(treasurer, 'The new price is in effect.')

    await treasurer.getByRole('link', { name: 'Coupons', exact: true }).click()
    await treasurer.getByRole('button', { name: 'New coupon' }).click()
    await treasurer.getByLabel('Code', { exact: true }).fill('residents-day')
    await treasurer.getByLabel('Discount').fill('20')
    for (const level of ['Annual Member', 'Life Member', 'Associate Member']) {
      await treasurer.getByRole('checkbox', { name: level }).uncheck()
    }
    await treasurer.getByRole('button', { name: 'Activate coupon' }).click()
    await seeText(treasurer, 'RESIDENTS-DAY is active.')
    await seeText(treasurer, 'Active')

    const resident = newPerson()
    const page = await arrive({ viewport: { width: 360, height: 740 } })
    await register(page, resident, 'resident fellow')
    await page.goto(await verificationLink(mailbox, resident))
    await seeText(page, 'Pay $30')
    await page.getByLabel('Promotion code').fill('nonsense')
    await page.getByRole('button', { name: 'Apply' }).click()
    await seeText(page, 'This code is invalid.')
    await page.getByLabel('Promotion code').fill('residents-day')
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByRole('heading', { name: 'Pay $24' }).waitFor()
    await payWith(page, GOOD_CARD)
    await seeHeading(page, 'Payment Successful!')
    await page.getByRole('link', { name: 'Go to your account' }).click()
    await seeText(page, '$30 a year')

    await treasurer.reload()
    await seeText(treasurer, /Used once/)
  })
})
