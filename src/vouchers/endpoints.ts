import { deliveryEndpoints } from './deliveries/endpoints.ts'
import { importEndpoints } from './imports/endpoints.ts'
import { ledgerEndpoints } from './ledger/endpoints.ts'
import { productEndpoints } from './products/endpoints.ts'

export const voucherEndpoints = [...productEndpoints, ...ledgerEndpoints, ...deliveryEndpoints, ...importEndpoints]
