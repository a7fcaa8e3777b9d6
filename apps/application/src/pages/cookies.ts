import type { CookieOptions, Request, Response } from 'express';

/** The cookies of the application, by what they are for. */
export interface Cookies {
  /** Who is signed in. */
  readonly session: Cookie;
  /** Which browser asked for the code. */
  readonly signIn: Cookie;
  /** Which browser was asked for a passkey, or sent to a company's own sign-in. */
  readonly challenge: Cookie;
  readonly language: Cookie;
}

export interface Cookie {
  readonly read: (request: Request) => string | undefined;
  readonly write: (response: Response, value: string, lifeMs: number) => void;
  readonly clear: (response: Response) => void;
}

/**
 * Where pages are https every cookie has the prefix `__Host-`: no other host, no other path and no plain connection can set it. Plain
 * http, on one machine, gets plain names, for browsers would refuse the others.
 */
export function cookies(publicUrl: string): Cookies {
  const secure = publicUrl.startsWith('https:');
  const cookie = (name: string, sameSite: CookieOptions['sameSite']): Cookie => {
    const fullName = secure ? `__Host-${name}` : name;
    const options: CookieOptions = { httpOnly: true, secure, sameSite, path: '/' };
    return {
      read: (request) => valueOf(request.get('cookie') ?? '', fullName),
      write: (response, value, maxAge) => void response.cookie(fullName, value, { ...options, maxAge }),
      clear: (response) => void response.clearCookie(fullName, options),
    };
  };
  // Lax: a link in a mail opens a page that is signed in. What changes something is a POST, which has a check of its own.
  return {
    session: cookie('session', 'lax'),
    signIn: cookie('sign_in', 'lax'),
    challenge: cookie('challenge', 'lax'),
    language: cookie('language', 'lax'),
  };
}

const VALUE = /^[A-Za-z0-9_-]{1,100}$/;

function valueOf(header: string, name: string): string | undefined {
  for (const part of header.split(';')) {
    const [key, value = ''] = part.trim().split('=', 2);
    if (key === name && VALUE.test(value)) return value;
  }
  return undefined;
}
