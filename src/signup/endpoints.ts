import { linkEndpoints } from './links/endpoints.ts'
import { pageEndpoints } from './pages/endpoints.ts'
import { posterEndpoints } from './poster/endpoints.ts'
import { requestEndpoints } from './requests/endpoints.ts'

export const signupEndpoints = [...linkEndpoints, ...posterEndpoints, ...requestEndpoints, ...pageEndpoints]
