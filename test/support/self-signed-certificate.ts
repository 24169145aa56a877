import { generateKeyPairSync } from 'node:crypto';
import forge from 'node-forge';

/** A private key and a certificate for the given host names, in PEM format. */
export function selfSignedCertificate(...hosts: readonly string[]): { key: string; cert: string } {
  const { privateKey: key, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.publicKeyFromPem(publicKey);
  certificate.serialNumber = '01';
  const day = 24 * 60 * 60 * 1_000;
  certificate.validity.notBefore = new Date(Date.now() - day);
  certificate.validity.notAfter = new Date(Date.now() + day);
  const name = [{ name: 'commonName', value: hosts[0] }];
  certificate.setSubject(name);
  certificate.setIssuer(name);
  const altNames = hosts.map((host) =>
    /^[\d.]+$/.test(host) ? { type: 7, ip: host } : { type: 2, value: host },
  );
  certificate.setExtensions([{ name: 'subjectAltName', altNames }]);
  certificate.sign(forge.pki.privateKeyFromPem(key), forge.md.sha256.create());
  return { key, cert: forge.pki.certificateToPem(certificate) };
}
