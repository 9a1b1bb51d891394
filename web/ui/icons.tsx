import type { ReactNode } from 'react'

/** Decoration beside words; nothing is said by an icon alone. */
const icon = (drawing: ReactNode) => {
  const Icon = ({ size = 18 }: { size?: number }) => (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {drawing}
    </svg>
  )
  return Icon
}

export const CalendarIcon = icon(<path d="M4 6.5h16v13H4zM4 10.5h16M8 3.5v4M16 3.5v4" />)
export const SearchIcon = icon(<path d="M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM15.5 15.5 20 20" />)
export const PersonIcon = icon(
  <path d="M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM4.5 20c.8-3.6 3.8-5.5 7.5-5.5s6.7 1.9 7.5 5.5" />,
)
export const KeyboardIcon = icon(<path d="M3 6.500h18v11H3zM7 10h.01M11 10h.01M15 10h.01M17.5 10h.01M8 14h8" />)
export const OutIcon = icon(<path d="M14 4H5v16h9M10 12h10M16.5 8.5 20 12l-3.5 3.5" />)
export const ArrowIcon = icon(<path d="M7 17 17 7M9 7h8v8" />)
export const BackIcon = icon(<path d="M19 12H5M11 6l-6 6 6 6" />)
export const HouseIcon = icon(<path d="M4 20V9l8-5 8 5v11M9.5 20v-6h5v6" />)
export const ThemeIcon = icon(<path d="M12 4a8 8 0 1 0 8 8 6 6 0 0 1-8-8z" />)
export const LanguageIcon = icon(
  <path d="M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16zM4 12h16M12 4c2.5 2.2 3.5 5 3.5 8s-1 5.8-3.5 8c-2.5-2.2-3.5-5-3.5-8s1-5.8 3.5-8z" />,
)
