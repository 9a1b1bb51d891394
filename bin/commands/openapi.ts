import { describeApi } from '../../src/api-reference/describe-api.ts'
import { ENDPOINTS, WEBHOOKS } from '../../src/main.ts'
import { print } from '../command-line.ts'

export const run = async () => print(JSON.stringify(describeApi(ENDPOINTS, WEBHOOKS), null, 2))
