import { afterAll, afterEach } from 'vitest'
import { tidyUpAfter } from './tidying.ts'

afterEach(() => tidyUpAfter('test'))
afterAll(() => tidyUpAfter('file'))
