import type { PrecedingCall, ExampleSetup } from '../http/example-setup.ts'

/** An image of one pixel, whose length and MD5 are known beforehand. */
const PIXEL = {
  type: 'image/png',
  base64: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
}
const announcedPixel: PrecedingCall = {
  call: 'POST /admin/direct_uploads',
  body: {
    blob: { filename: 'pixel.png', byte_size: 70, checksum: '+Cm5FPxHz8nAdHwRnCfPGw==', content_type: PIXEL.type },
  },
}
const LINK = { key: 'url', after: '/uploads/', as: 'signed_link' }

/** What the examples of these endpoints take to work on the demo venue. */
export const EXAMPLE_SETUPS = {
  upload: { before: [{ ...announcedPixel, take: [LINK] }], file: PIXEL },
  image: {
    before: [
      { ...announcedPixel, take: [{ key: 'signed_id', as: 'signed_id' }, LINK] },
      { call: 'PUT /uploads/$signed_link', file: PIXEL },
      {
        call: 'POST /admin/voucher_products',
        body: {
          voucher_product: {
            name: 'Voucher with a picture',
            pricing_type: 'fixed',
            fixed_amount: '50.00',
            image: '$signed_id',
          },
        },
        take: [{ key: 'image_url', after: '/public_images/', as: 'signed_link' }],
      },
    ],
  },
} satisfies Record<string, ExampleSetup>
