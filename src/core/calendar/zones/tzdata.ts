/**
 * The offset changes of all time zones from 1970 to 2050, from the IANA Time Zone Database. Created by `npm run zones`.
 *
 * The first line contains the version of the database and the date of its release. Every other line contains a zone,
 * its first offset, and each change as the time since the previous change and the difference in offset, in minutes.
 * `@Zone n` stands for the last `n` changes of `Zone`; `=Zone` marks an alias of `Zone`. All numbers are in base 36.
 */
export const tzdata = `tzdata 2026f 2026-10-29
Africa/Abidjan 0
Africa/Accra =Africa/Abidjan
Africa/Addis_Ababa =Africa/Nairobi
Africa/Algiers 0 etac 1o 4r40 -1o 1r7lo 1o 9xs0 1o 5m9o -1o cb8o -1o 5m9o 1o 5u1o -1o 5m6c 1o
Africa/Asmara =Africa/Nairobi
Africa/Asmera =Africa/Nairobi
Africa/Bamako =Africa/Abidjan
Africa/Bangui =Africa/Lagos
Africa/Banjul =Africa/Abidjan
Africa/Bissau -1o 1kcxo 1o
Africa/Blantyre =Africa/Maputo
Africa/Brazzaville =Africa/Lagos
Africa/Bujumbura =Africa/Maputo
Africa/Cairo 3c 3pac 1o 4q1o -1o 6jic 1o 4q1o -1o 6kmc 1o 4q1o -1o 6jic 1o 4q1o -1o 6jic 1o 4q1o -1o 6jic 1o 4q1o -1o 6kmc 1o 4q1o -1o 6jic 1o 4q1o -1o 6jic 1o 4q1o -1o 6jic 1o 4q1o -1o 6kmc 1o 4q1o -1o 6jic 1o 4q1o -1o 95yc 1o 23lo -1o 8ric 1o 2i1o -1o 6kmc 1o 4q1o -1o 6jic 1o 4q1o -1o 6jic 1o 4q1o -1o 6jic 1o 4q1o -1o 6kmc 1o 4q1o -1o 6p2c 1o 4kho -1o 6jic 1o 4q1o -1o 6jic 1o 4q1o -1o 6kmc 1o 4q1o -1o 6jic 1o 4q1o -1o 6jic 1o 4q1o -1o 6g4o 1o 4r2c -1o 6hdo 1o 4r2c -1o 6hdo 1o 4r2c -1o 6hdo 1o 4r2c -1o 6p5o 1o 4r2c -1o 6hdo 1o 4r2c -1o 6hdo 1o 4r2c -1o 6hdo 1o 4r2c -1o 6hdo 1o 4r2c -1o 6p5o 1o 4r2c -1o 6hdo 1o 4r2c -1o 6hdo 1o 4jac -1o 6p5o 1o 43qc -1o 74po 1o 3vyc -1o 7cho 1o 3o6c -1o 7s1o 1o 36ec -1o xdo 1o nac -1o 14u1o 1o 1amc -1o 12xo 1o 1q6c -1o 2osho 1o 5m6c -1o 5m9o 1o 5tyc -1o 5eho 1o 5tyc -1o 5eho 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5tyc -1o 5eho 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5tyc -1o 5eho 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5tyc -1o 5eho 1o 5tyc -1o 5eho 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5tyc -1o 5eho 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o
Africa/Casablanca 0 1ego0 1o 24mc -1o irlo 1o 2u6c -1o 8fdo 1o 4mmc -1o 7ldo 1o 1z2c -1o 1raxo 1o k8uc -1o 70opo 1o 2u6c -1o 8fdo 1o 2hyc -1o 7u9o 1o 30uc -1o 7cho 1o 3o6c -1o 8fh0 1o 2j40 -1o yg0 1o 19k0 -1o 6hc0 1o 25s0 -1o 11s0 1o 2eo0 -1o 4r40 1o 2s00 -1o 12w0 1o 2mg0 -1o 4r40 1o 2dk0 -1o 12w0 1o 30w0 -1o 4r40 1o 25s0 -1o 12w0 1o 3gg0 -1o 4jc0 1o 1q80 -1o 1ao0 1o 3o80 -1o 4jc0 1o 1ig0 -1o 12w0 1o 9xs0 -1o 12w0 1o 9q00 -1o 1ao0 1o 9q00 -1o 12w0 1o 9q00 -1o 1ao0 1o 9q00 -1o 12w0 1o 9xs0 -1o 12w0 1o 9q00 -1o 1ao0 1o 9q00 -1o 12w0 1o 5m6c -1o
Africa/Ceuta 0 1ego0 1o 24mc -1o irlo 1o 2u6c -1o 8fdo 1o 4mmc -1o 7ldo 1o 1z2c -1o 1raxo 1o mypo 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5u00 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5u00 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o
Africa/Conakry =Africa/Abidjan
Africa/Dakar =Africa/Abidjan
Africa/Dar_es_Salaam =Africa/Nairobi
Africa/Djibouti =Africa/Nairobi
Africa/Douala =Africa/Lagos
Africa/El_Aaiun -1o 1yu1o 1o iuc 1o 2u6c -1o 8fdo 1o 4mmc -1o 7ldo 1o 1z2c -1o 9c8ho 1o @Africa/Casablanca 1f
Africa/Freetown =Africa/Abidjan
Africa/Gaborone =Africa/Maputo
Africa/Harare =Africa/Maputo
Africa/Johannesburg 3c
Africa/Juba 3c 3p8o 1o 55ic -1o 62xo 1o 56mc -1o 641o 1o 56mc -1o 61to 1o 57qc -1o 60po 1o 58uc -1o 5zlo 1o 59yc -1o 5yho 1o 5c6c -1o 5w9o 1o 5dac -1o 62xo 1o 56mc -1o 61to 1o 57qc -1o 60po 1o 59yc -1o 5yho 1o 5b2c -1o 5xdo 1o 5c6c -1o 5w9o 1o 5dac -1o 62xo 1o 57qc -1o 60po 1o 58uc -1o 4gnxo 1o 6l9mc -1o
Africa/Kampala =Africa/Nairobi
Africa/Khartoum 3c 3p8o 1o 55ic -1o 62xo 1o 56mc -1o 641o 1o 56mc -1o 61to 1o 57qc -1o 60po 1o 58uc -1o 5zlo 1o 59yc -1o 5yho 1o 5c6c -1o 5w9o 1o 5dac -1o 62xo 1o 56mc -1o 61to 1o 57qc -1o 60po 1o 59yc -1o 5yho 1o 5b2c -1o 5xdo 1o 5c6c -1o 5w9o 1o 5dac -1o 62xo 1o 57qc -1o 60po 1o 58uc -1o 4gnxo 1o 5klmc -1o
Africa/Kigali =Africa/Maputo
Africa/Kinshasa =Africa/Lagos
Africa/Lagos 1o
Africa/Libreville =Africa/Lagos
Africa/Lome =Africa/Abidjan
Africa/Luanda =Africa/Lagos
Africa/Lubumbashi =Africa/Maputo
Africa/Lusaka =Africa/Maputo
Africa/Malabo =Africa/Lagos
Africa/Maputo 3c
Africa/Maseru =Africa/Johannesburg
Africa/Mbabane =Africa/Johannesburg
Africa/Mogadishu =Africa/Nairobi
Africa/Monrovia -19 mpt9 19
Africa/Nairobi 50
Africa/Ndjamena 1o 329yc 1o 4i6c -1o
Africa/Niamey =Africa/Lagos
Africa/Nouakchott =Africa/Abidjan
Africa/Ouagadougou =Africa/Abidjan
Africa/Porto-Novo =Africa/Lagos
Africa/Sao_Tome 0 f141o 1o b9k0 -1o
Africa/Timbuktu =Africa/Abidjan
Africa/Tripoli 3c 3r9wo -1o 2s1o 1o 5nac -1o 5m9o 1o 5nac -1o 5ndo 1o 5nac -1o 5rto 1o 5hqc -1o 5plo 1o 5m6c -1o 5k1o 1o 5nac -1o 5ndo 1o 5nac -1o 5m9o 1o 5nac -1o 6mxo 1o 2092c -1o 5qpo 1o 4vw9o -1o 4ag0 1o
Africa/Tunis 1o 2alac 1o 4jc0 -1o 6rc0 1o 4q00 -1o 30zc0 1o 3kw0 -1o 5m80 1o 5m80 -1o 6rc0 1o 4ow0 -1o 4kew0 1o 4oxo -1o 5gpo 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o
Africa/Windhoek 3c 7kzoo -1o 55p0 1o 6hac -1o 4r5o 1o 6p2c -1o 4jdo 1o 6p2c -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6p2c -1o 4jdo 1o 6p2c -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6p2c -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6p2c -1o 4jdo 1o 6p2c -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o
America/Adak -ic 3kdo 1o 5m6c -1o 5m9o 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 25to 1o 92mc -1o 3o9o 1o 7k6c -1o 5m9o 1o 5tyc -1o 5eho 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5tyc -1o 5eho 1o bg6c 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 43to 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 43to 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 43to 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 43to 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 43to 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 43to 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 43to 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 43to 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 43to 1o 7cec -1o 3w1o 1o 7cec -1o
America/Anchorage -go 3kc0 1o @America/Adak 4g
America/Anguilla =America/Puerto_Rico
America/Antigua =America/Puerto_Rico
America/Araguaina -50 4yit0 1o 43qc -1o 6wxo 1o 3gec -1o 7t5o 1o 38mc -1o 7s1o 1o 38mc -1o 7zto 1o 3o6c -1o 1ry9o 1o 3o6c -1o 7cho 1o 43qc -1o 75to 1o 4i6c -1o 6wxo 1o 43qc -1o 6wxo 1o 4jac -1o 6wxo 1o 43qc -1o 7cho 1o 3vyc -1o 7zto 1o 38mc -1o 313to 1o 3o6c -1o
America/Argentina/Buenos_Aires -50 19rx0 1o 30uc -1o 4kg1o 1o 2wec -1o 6wxo 1o 4bic -1o 74po 1o 43qc -1o 74po 1o 43qc -1o 74po 1o 4bic -1o 4n09o 1o 2dic -1o 6p5o 1o 4jac -1o
America/Argentina/Catamarca -50 19rx0 1o 30uc -1o 4kg1o 1o 2wec -1o 6wxo 1o 4bic -1o 74po 1o 43qc -3c 74rc 3c 43oo -1o 74po 1o 4bic -1o 3io1o -1o l5o 1o 13r2c 1o 2dic -1o
America/Argentina/ComodRivadavia =America/Argentina/Catamarca
America/Argentina/Cordoba -50 19rx0 1o 30uc -1o 4kg1o 1o 2wec -1o 6wxo 1o 4bic -1o 74po 1o 43qc -3c 74rc 3c 43oo -1o @America/Argentina/Buenos_Aires 6
America/Argentina/Jujuy -50 19rx0 1o 30uc -1o 4kg1o 1o 2wec -1o 6wxo 1o 4bic -3c 7cjc 1o 4bic -1o 69lo 3c 4j8o -1o 74po 1o 4bic -1o 4n09o 1o 2dic -1o
America/Argentina/La_Rioja -50 19rx0 1o 30uc -1o 4kg1o 1o 2wec -1o 6wxo 1o 4bic -1o 74po 1o 41ic -3c 22jc 1o 54ec 1o 43qc -1o @America/Argentina/Catamarca 6
America/Argentina/Mendoza -50 19rx0 1o 30uc -1o 4kg1o 1o 2wec -1o 6wxo 1o 4bic -3c 6y3c 1o 486c -1o 71do 1o 49ac -1o 74po 3c 4bgo -1o 3ie1o -1o 3w1o 1o 10q6c 1o 2dic -1o
America/Argentina/Rio_Gallegos -50 19rx0 1o 30uc -1o 4kg1o 1o 2wec -1o 6wxo 1o 4bic -1o 74po 1o 43qc -1o 74po 1o @America/Argentina/La_Rioja 7
America/Argentina/Salta -50 19rx0 1o 30uc -1o 4kg1o 1o 2wec -1o 6wxo 1o 4bic -1o 74po 1o 43qc -3c 74rc 3c 43oo -1o @America/Argentina/Jujuy 4
America/Argentina/San_Juan -50 19rx0 1o 30uc -1o 4kg1o 1o 2wec -1o 6wxo 1o 4bic -1o 74po 1o 41ic -3c 22jc 1o 54ec 1o 43qc -1o 74po 1o 4bic -1o 3imxo -1o 1p5o 1o 12o6c 1o 2dic -1o
America/Argentina/San_Luis -50 19rx0 1o 30uc -1o 4kg1o 1o 2wec -1o 6wxo 1o 4mmc -3c 6mzc 1o 486c -1o 2u9o 1o 42jic -1o 1p5o 1o 12o6c 1o oec -1o 1hdo -1o 6p5o 1o 4jac -1o 6p5o 1o
America/Argentina/Tucuman -50 19rx0 1o 30uc -1o 4kg1o 1o 2wec -1o 6wxo 1o 4bic -1o 74po 1o 43qc -3c 74rc 3c 43oo -1o 74po 1o 4bic -1o 3io1o -1o ddo 1o 13yuc 1o 2dic -1o 6p5o 1o 4jac -1o
America/Argentina/Ushuaia -50 19rx0 1o 30uc -1o 4kg1o 1o 2wec -1o 6wxo 1o 4bic -1o 74po 1o 43qc -1o 74po 1o 43qc -1o 74po 1o 4bic -1o 3ilto -1o ndo 1o 13r2c 1o 2dic -1o
America/Aruba =America/Puerto_Rico
America/Asuncion -6o uzqo 1o gvqc -1o gwxo 1o 4ouc -1o 6lto 1o 4nqc -1o 6lto 1o 4nqc -1o 6lto 1o 5m6c -1o 5ndo 1o 5nac -1o 5ndo 1o 5m6c -1o 5ndo 1o 5m6c -1o 5ndo 1o 5m6c -1o 5ndo 1o 5nac -1o 5ndo 1o 5m6c -1o 5ndo 1o 5m6c -1o 5ndo 1o 5m6c -1o 5ndo 1o 5nac -1o 5ndo 1o 5m6c -1o 6apo 1o 4yuc -1o 5ndo 1o 5m6c -1o 5sxo 1o 4jac -1o 6q9o 1o 5gmc -1o 5oho 1o 4lic -1o 6o1o 1o 4kec -1o 6p5o 1o 4ouc -1o 6rdo 1o 4bic -1o 6wxo 1o 4jac -1o 6p5o 1o 4r2c -1o 6hdo 1o 4r2c -1o 6hdo 1o 4r2c -1o 6p5o 1o 5m6c -1o 4jdo 1o 6p2c -1o 4r5o 1o 6hac -1o 61to 1o 4jac -1o 6p5o 1o 4jac -1o 6p5o 1o 4jac -1o 6wxo 1o 4bic -1o 6wxo 1o 4bic -1o 6wxo 1o 5eec -1o 5eho 1o 5tyc -1o 5eho 1o 5tyc -1o 5m9o 1o 56mc -1o 61to 1o 56mc -1o 61to 1o 56mc -1o 61to 1o 5eec -1o 5u1o 1o 5eec -1o 5u1o 1o 5eec -1o 61to 1o 56mc -1o 61to 1o 56mc -1o 61to 1o 5eec -1o 5u1o 1o 5eec -1o 5u1o 1o 5eec -1o 5u1o 1o 5eec -1o 61to 1o
America/Atikokan =America/Panama
America/Atka =America/Adak
America/Bahia -50 4yit0 1o 43qc -1o 6wxo 1o 3gec -1o 7t5o 1o 38mc -1o 7s1o 1o 38mc -1o 7zto 1o 3o6c -1o 7s1o 1o 3o6c -1o 7k9o 1o 3gec -1o 7zto 1o 30uc -1o 7zto 1o 3vyc -1o 7cho 1o 3vyc -1o 7cho 1o 3o6c -1o 7cho 1o 43qc -1o 75to 1o 4i6c -1o 6wxo 1o 43qc -1o 6wxo 1o 4jac -1o 6wxo 1o 43qc -1o 7cho 1o 3vyc -1o 7zto 1o 38mc -1o 2pnlo 1o 43qc -1o
America/Bahia_Banderas -bo 883b0 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 5u1o 1o 4jac -1o 5u1o 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 3c 6h8o -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o
America/Barbados -6o 2bxe0 1o 3gec -1o 61to 1o 56mc -1o 61to 1o 56mc -1o 69lo 1o 4vic -1o
America/Belem -50 4yit0 1o 43qc -1o 6wxo 1o 3gec -1o 7t5o 1o 38mc -1o
America/Belize -a0 189m0 1o 21ac -1o 2rtdo 1o 1q6c -1o
America/Blanc-Sablon =America/Puerto_Rico
America/Boa_Vista -6o 4yiuo 1o 43qc -1o 6wxo 1o 3gec -1o 7t5o 1o 38mc -1o 3ncxo 1o 4jac -1o 6wxo 1o 7qc -1o
America/Bogota -8c 6zrkc 1o 8o6c -1o
America/Boise -bo 3k70 1o 5m6c -1o 5m9o 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 30xo 1o 87ic -1o 3o9o 1o 7k6c -1o 5m9o 1o 5tyc -1o 5eho 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5tyc -1o 5eho 1o 5tyc -1o 5m9o 1o @America/Adak 3p
America/Buenos_Aires =America/Argentina/Buenos_Aires
America/Cambridge_Bay -bo q8v0 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5tyc -1o 5eho 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5tyc -1o 5eho 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o b8ec 1o 6oz0 -1o b0t0 -1o @America/Adak 2q
America/Campo_Grande -6o 4yiuo 1o 43qc -1o 6wxo 1o 3gec -1o 7t5o 1o 38mc -1o 7s1o 1o 38mc -1o 7zto 1o 3o6c -1o 7s1o 1o 3o6c -1o 7k9o 1o 3gec -1o 7zto 1o 30uc -1o 7zto 1o 3vyc -1o 7cho 1o 3vyc -1o 7cho 1o 3o6c -1o 7cho 1o 43qc -1o 75to 1o 4i6c -1o 6wxo 1o 43qc -1o 6wxo 1o 4jac -1o 6wxo 1o 43qc -1o 7cho 1o 3vyc -1o 7zto 1o 38mc -1o 7k9o 1o 3o6c -1o 821o 1o 3e6c -1o 7cho 1o 3vyc -1o 7zto 1o 3gec -1o 74po 1o 3vyc -1o 7k9o 1o 3o6c -1o 7k9o 1o 3vyc -1o 7cho 1o 3vyc -1o 7cho 1o 43qc -1o 7cho 1o 3o6c -1o 7k9o 1o 3o6c -1o 7k9o 1o 3vyc -1o 7cho 1o 3vyc -1o 7cho 1o 3vyc -1o 7cho 1o 3vyc -1o 7zto 1o 38mc -1o
America/Cancun -a0 3r3pc 1o bjf0 -1o 45g50 1o 69ic -1o 4yxo 1o b8ec 1o 3o6c -1o 2ldo -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 5u1o 1o 4jac -1o 5u1o 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 30xo 1o
America/Caracas -6o bvnvo -u 2mmo0 u
America/Catamarca =America/Argentina/Catamarca
America/Cayenne -50
America/Cayman =America/Panama
America/Chicago -a0 3k5c 1o 5m6c -1o 5m9o 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 25to 1o 92mc -1o @America/Boise 48
America/Chihuahua -a0 8839c 1o 69ic -1o 4yxo 1o 69ic -1o b8ho -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 5u1o 1o 4jac -1o 5u1o 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o
America/Ciudad_Juarez -a0 8839c 1o 69ic -1o 4yxo 1o 69ic -1o b8ho -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 5u1o 1o 4jac -1o 5u1o 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4blo 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 43to 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 43to 1o 7cec -1o 3w1o 1o 82z0 -1o 35h0 1o @America/Adak 1j
America/Coral_Harbour =America/Panama
America/Cordoba =America/Argentina/Cordoba
America/Costa_Rica -a0 2v5m0 1o 30uc -1o 87lo 1o 30uc -1o 3bvlo 1o 512c -1o 67do 1o 1rac -1o
America/Coyhaique -50 2ot0 -1o 61to 1o 4r2c -1o 6hdo 1o 4r2c -1o 6p5o 1o 4jac -1o 69lo 1o 4yuc -1o 6p5o 1o 4jac -1o 6p5o 1o 4r2c -1o 6hdo 1o 4r2c -1o 6hdo 1o 4r2c -1o 6p5o 1o 4jac -1o 6p5o 1o 4jac -1o 6p5o 1o 4r2c -1o 6hdo 1o 4r2c -1o 6hdo 1o 4r2c -1o 6hdo 1o 4r2c -1o 6p5o 1o 4jac -1o 6p5o 1o 4jac -1o 6p5o 1o 5m6c -1o 5m9o 1o 4r2c -1o 6hdo 1o 4r2c -1o 6p5o 1o 4jac -1o 5u1o 1o 5eec -1o 6p5o 1o 4r2c -1o 6hdo 1o 4r2c -1o 6hdo 1o 4r2c -1o 6hdo 1o 4r2c -1o 6p5o 1o 4jac -1o 6p5o 1o 56mc -1o 61to 1o 4r2c -1o 61to 1o 5tyc -1o 5u1o 1o 4r2c -1o 6p5o 1o 4jac -1o 6p5o 1o 4jac -1o 6p5o 1o 4jac -1o 6p5o 1o 4r2c -1o 6hdo 1o 4r2c -1o 6hdo 1o 4r2c -1o 6p5o 1o 4jac -1o 6p5o 1o 56mc -1o 61to 1o 4r2c -1o 6hdo 1o 5eec -1o 5u1o 1o 6hac -1o 38po 1o 7ryc -1o 3w1o 1o 7cec -1o 43to 1o 74mc -1o 43to 1o j0ec -1o 2t5o 1o 8fac -1o 2t5o 1o 8fac -1o 2t5o 1o 7cec -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4yxo 1o 69ic -1o 4r5o 1o 6p2c -1o 4r5o 1o
America/Creston =America/Phoenix
America/Cuiaba -6o 4yiuo 1o 43qc -1o 6wxo 1o 3gec -1o 7t5o 1o 38mc -1o 7s1o 1o 38mc -1o 7zto 1o 3o6c -1o 7s1o 1o 3o6c -1o 7k9o 1o 3gec -1o 7zto 1o 30uc -1o 7zto 1o 3vyc -1o 7cho 1o 3vyc -1o 7cho 1o 3o6c -1o 7cho 1o 43qc -1o 75to 1o 4i6c -1o 6wxo 1o 43qc -1o 6wxo 1o 4jac -1o 6wxo 1o 43qc -1o 7cho 1o 3vyc -1o 7zto 1o 38mc -1o jaho 1o @America/Campo_Grande t
America/Curacao =America/Puerto_Rico
America/Danmarkshavn -50 37ooc 1o 5e9c -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5u00 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5u00 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 323c 50
America/Dawson -f0 173j0 1o 218po 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5tyc -1o 5eho 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 43to 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 43to 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 43to 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o
America/Dawson_Creek -dc 3k8o 1o 5m6c -1o 5m9o 1o 5tyc -1o 5m9o 1o
America/Denver -bo 3k70 1o @America/Chicago 4h
America/Detroit -8c 11h7o 1o 5m6c -1o 25to 1o 92mc -1o 5m9o 1o 5m6c -1o @America/Boise 46
America/Dominica =America/Puerto_Rico
America/Edmonton -bo q8v0 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5tyc -1o 5eho 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5tyc -1o 5eho 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 43to 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 43to 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 43to 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 43to 1o 7cec -1o 3w1o 1o @America/Dawson 8
America/Eirunepe -8c 4yiwc 1o 43qc -1o 6wxo 1o 3gec -1o 7t5o 1o 38mc -1o 1s61o 1o 3vyc -1o 4ho1o 1o 1onac -1o
America/El_Salvador -a0 5feq0 1o 4jac -1o 6p5o 1o 4jac -1o
America/Ensenada =America/Tijuana
America/Fort_Nelson -dc 3k8o 1o 5m6c -1o 5m9o 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5tyc -1o 5eho 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5tyc -1o 5eho 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 43to 1o @America/Edmonton g
America/Fort_Wayne -8c 3k3o 1o 5m6c -1o b3h5o 1o @America/Adak 2h
America/Fortaleza -50 4yit0 1o 43qc -1o 6wxo 1o 3gec -1o 7t5o 1o 38mc -1o 7s1o 1o 38mc -1o 7zto 1o 3o6c -1o 30o9o 1o 4jac -1o 6wxo 1o fic -1o b0po 1o 3vyc -1o
America/Glace_Bay -6o q8q0 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o @America/Detroit 48
America/Godthab -50 37ooc 1o 5e9c -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5u00 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5u00 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5u00 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o bg80 1o @Africa/Ceuta 1h
America/Goose_Bay -6o 3k20 1o 5m6c -1o 5m9o 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5tyc -1o 5eho 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5tyc -1o 5eho 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 4yud 1o 69ic -1o 4yxo 3c 6h8o -3c 4r7c 1o 6hac -1o 4r5o 1o 6hac -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 43to 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 43to 1o 7cec -1o 3w1o 1o 7chn -1o @America/Adak 26
America/Grand_Turk -8c 2x3no 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5tyc -1o 5eho 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 43to 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 43to 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 159ic -1o @America/Adak 1s
America/Grenada =America/Puerto_Rico
America/Guadeloupe =America/Puerto_Rico
America/Guatemala -a0 17yi0 1o 2t2c -1o 2w3to 1o 3tqc -1o 2cjdo 1o 56mc -1o 4l3do 1o 4r2c -1o
America/Guayaquil -8c 768wc 1o 24mc -1o
America/Guyana -69 1qwm9 19 57t4f -1o
America/Halifax -6o 3k20 1o 5m6c -1o 5m9o 1o 5tyc -1o 5m9o 1o @America/Glace_Bay 4d
America/Havana -8c 3k0c 1o 5m6c -1o 5m9o 1o 5tyc -1o 5m9o 1o 4yuc -1o 69lo 1o 4zyc -1o 68ho 1o 512c -1o 67do 1o 5m6c -1o 5m9o 1o 5tyc -1o 5eho 1o 5tyc -1o 5u1o 1o 4r2c -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 6hdo 1o 4r2c -1o 6hdo 1o 4r2c -1o 6hdo 1o 4r2c -1o 6hdo 1o 4yuc -1o 69lo 1o 4yuc -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 5eho 1o 61qc -1o 5eho 1o 5u00 -1o 5eg0 1o 5u00 -1o 5eg0 1o 5u00 -1o 5eg0 1o 5u00 -1o 5eg0 1o 5u00 -1o 5m80 1o 5m80 -1o 5m80 1o 5u00 -1o 56o0 1o 6hc0 -1o 4r40 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4yw0 1o 69k0 -1o 4yw0 1o 69k0 -1o 4r40 1o t600 -1o 43s0 1o 74o0 -1o 4bk0 1o 6ww0 -1o 43s0 1o 74o0 -1o 4bk0 1o 74o0 -1o 4bk0 1o 7cg0 -1o 4bk0 1o 6p40 -1o 3w00 1o 7cg0 -1o 3w00 1o 7cg0 -1o 3w00 1o 7cg0 -1o 43s0 1o 7cg0 -1o 3w00 1o 7cg0 -1o 3w00 1o 7cg0 -1o 3w00 1o 7cg0 -1o 3w00 1o 7cg0 -1o 43s0 1o 7cg0 -1o 3w00 1o 7cg0 -1o 3w00 1o 7cg0 -1o 3w00 1o 7cg0 -1o 3w00 1o 7cg0 -1o 3w00 1o iso0 -1o 3w00 1o 7cg0 -1o 3w00 1o 7cg0 -1o 3w00 1o 7cg0 -1o 3w00 1o 7cg0 -1o 43s0 1o 7cg0 -1o 3w00 1o 7cg0 -1o 3w00 1o 7cg0 -1o 3w00 1o 7cg0 -1o 3w00 1o 7cg0 -1o 3w00 1o 7cg0 -1o 43s0 1o 7cg0 -1o 3w00 1o 7cg0 -1o 3w00 1o 7cg0 -1o 3w00 1o 7cg0 -1o 3w00 1o 7cg0 -1o 3w00 1o 7cg0 -1o 43s0 1o 7cg0 -1o 3w00 1o 7cg0 -1o 3w00 1o 7cg0 -1o 3w00 1o 7cg0 -1o 3w00 1o 7cg0 -1o 43s0 1o 7cg0 -1o 3w00 1o 7cg0 -1o
America/Hermosillo -bo 883b0 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o
America/Indiana/Indianapolis =America/Fort_Wayne
America/Indiana/Knox -a0 3k5c 1o 5m6c -1o 5m9o 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 25to 1o 92mc -1o 3o9o 1o 7k6c -1o 5m9o 1o 5tyc -1o 5eho 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5tyc -1o 5eho 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4yxo 1o 4vfic -1o @America/Adak 2g
America/Indiana/Marengo -8c 3k3o 1o 5m6c -1o 5m9o 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o ewpo 1o 7k6c -1o 9j35o 1o @America/Adak 2h
America/Indiana/Petersburg -a0 3k5c 1o 5m6c -1o 5m9o 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 25to 1o 92mc -1o 3o9o 1o 7k6c -1o 5m9o 1o 5tyc -1o 5eho 1o 98pqc -1o 43to 1o b8ec 1o @America/Adak 2d
America/Indiana/Tell_City -8c 3k3o 1o 5m6c -1o b9yho -1o @America/Adak 2g
America/Indiana/Vevay -8c 3k3o 1o 5m6c -1o 5m9o 1o 5tyc -1o 5m9o 1o 5m6c -1o agsho 1o @America/Adak 2h
America/Indiana/Vincennes -8c 3k3o 1o 5m6c -1o b9yho -1o @America/Indiana/Petersburg 2f
America/Indiana/Winamac -8c 3k3o 1o 5m6c -1o b9yho -1o 43to 3c 7cco -1o @America/Adak 2e
America/Indianapolis =America/Fort_Wayne
America/Inuvik -dc q8wo 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5tyc -1o 5eho 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 3c 5m4o -1o @America/Edmonton 2l
America/Iqaluit -8c q8ro 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5tyc -1o 5eho 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5tyc -1o 5eho 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -3c 4r7c 1o b8ec 1o @America/Adak 2r
America/Jamaica -8c 1997o 1o 92mc -1o 3o9o 1o 7k6c -1o 5m9o 1o 5tyc -1o 5eho 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5tyc -1o 5eho 1o 5tyc -1o
America/Jujuy =America/Argentina/Jujuy
America/Juneau -dc 3k8o 1o 5m6c -1o 5m9o 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 25to 1o 92mc -1o 3o9o 1o 7k6c -1o 5m9o 1o 5tyc -1o 5eho 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o gupo 1o 5m6c -1o 5m9o 1o 5tyc -1o 5eho 1o 5tyc -3c 5mbc 1o @America/Adak 3p
America/Kentucky/Louisville -8c 3k3o 1o 5m6c -1o 5m9o 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o ewpo 1o @America/Boise 47
America/Kentucky/Monticello -a0 3k5c 1o 5m6c -1o 5m9o 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 25to 1o 92mc -1o 3o9o 1o 7k6c -1o 5m9o 1o 5tyc -1o 5eho 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5tyc -1o 5eho 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o @America/Iqaluit 2s
America/Knox_IN =America/Indiana/Knox
America/Kralendijk =America/Puerto_Rico
America/La_Paz -6o
America/Lima -8c 50dkc 1o 2ryc -1o 8hlo 1o 2ryc -1o v1to 1o 2ryc -1o 16bdo 1o 2ryc -1o
America/Los_Angeles -dc 3k8o 1o @America/Chicago 4h
America/Louisville =America/Kentucky/Louisville
America/Lower_Princes =America/Puerto_Rico
America/Maceio -50 4yit0 1o 43qc -1o 6wxo 1o 3gec -1o 7t5o 1o 38mc -1o 7s1o 1o 38mc -1o 7zto 1o 3o6c -1o 1ry9o 1o 3o6c -1o 151to 1o @America/Fortaleza 5
America/Managua -a0 11je0 1o k8uc -1o 1a0po 1o 31yc -1o 86ho 1o 31yc -1o 3lwwc 1o 88fo -1o 321o 1o 193ac -1o 2l8po 1o 5eec -1o 6hh0 1o 4r0o -1o
America/Manaus -6o 4yiuo 1o 43qc -1o 6wxo 1o 3gec -1o 7t5o 1o 38mc -1o 1s61o 1o 3vyc -1o
America/Marigot =America/Puerto_Rico
America/Martinique -6o 37omo 1o 5eec -1o
America/Matamoros -a0 5ps5c 1o 6hac -1o 2btto 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 5u1o 1o 4jac -1o 5u1o 1o @America/Tijuana 2p
America/Mazatlan -bo 883b0 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 5u1o 1o 4jac -1o 5u1o 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o @America/Bahia_Banderas o
America/Mendoza =America/Argentina/Mendoza
America/Menominee -8c 173fo -1o @America/Chicago 4a
America/Merida -a0 3r3pc 1o 9lic -1o 47e1o 1o @America/Mazatlan 1h
America/Metlakatla -dc 3k8o 1o 5m6c -1o 5m9o 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 25to 1o 92mc -1o 3o9o 1o 7k6c -1o 5m9o 1o 5tyc -1o 5eho 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5tyc -1o 5eho 1o 5tyc -1o a0sxo -1o 43to 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 9pyc -1o 1iho 1o @America/Adak 1r
America/Mexico_City -a0 8839c 1o @America/Mazatlan 1h
America/Miquelon -6o 38geo 1o 2635o 1o @America/Adak 3j
America/Moncton -6o 3k20 1o 5m6c -1o 5m9o 1o 5tyc -1o 5m9o 1o 5m6c -1o gupo 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5tyc -1o 5eho 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5tyc -1o 5eho 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yud 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 43wz 1o @America/Adak 2f
America/Monterrey -a0 5ps5c 1o 6hac -1o 2btto 1o @America/Mazatlan 1h
America/Montevideo -50 3it0 1o 1jic -1o kyho 1o 2lac -1o gupo 2i 1q5i -1o 5eho -u 3ggu 1o 30uc -1o jg1o 1o 2dic -1o 8fdo 1o 2t2c -1o 8uxo 1o 2dic -1o 1q9o 1o 9xqc -1o 2fbdo 1o 2cec -1o 8uxo 1o 2lac -1o 7cho 1o 3o6c -1o 7cho 1o 43qc -1o 7cho 1o 3vyc -1o 74po 1o 43qc -1o 3ma1o 1o 5u1o -1o 61to 1o 4r2c -1o 69lo 1o 4yuc -1o 6hdo 1o 4r2c -1o 6hdo 1o 4r2c -1o 6hdo 1o 4yuc -1o 69lo 1o 4yuc -1o 69lo 1o 4yuc -1o 6hdo 1o 4r2c -1o 6hdo 1o 4r2c -1o 6hdo 1o 4r2c -1o
America/Montreal =America/Toronto
America/Montserrat =America/Puerto_Rico
America/Nassau =America/Toronto
America/New_York -8c 3k3o 1o @America/Chicago 4h
America/Nipigon =America/Toronto
America/Nome -ic 3kdo 1o 5m6c -1o 5m9o 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 25to 1o 92mc -1o 3o9o 1o 7k6c -1o 5m9o 1o 5tyc -1o 5eho 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5tyc -1o 5eho 1o 5tyc 1o 5m6c 1o @America/Adak 3p
America/Noronha -3c 4yirc 1o 43qc -1o 6wxo 1o 3gec -1o 7t5o 1o 38mc -1o 7s1o 1o 38mc -1o 7zto 1o 3o6c -1o 30o9o 1o 4jac -1o 6wxo 1o 7qc -1o b8ho 1o 3vyc -1o
America/North_Dakota/Beulah -bo 3k70 1o 5m6c -1o 5m9o 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 25to 1o 92mc -1o 3o9o 1o 7k6c -1o 5m9o 1o 5tyc -1o 5eho 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5tyc -1o 5eho 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 43to 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 43to 1o b8ec 1o @America/Adak 27
America/North_Dakota/Center -bo 3k70 1o 5m6c -1o 5m9o 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 25to 1o 92mc -1o 3o9o 1o 7k6c -1o 5m9o 1o 5tyc -1o 5eho 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5tyc -1o 5eho 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4yxo 1o 69ic -1o 4yxo 1o b8ec 1o @America/Adak 37
America/North_Dakota/New_Salem -bo 3k70 1o 5m6c -1o 5m9o 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 25to 1o 92mc -1o 3o9o 1o 7k6c -1o 5m9o 1o 5tyc -1o 5eho 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5tyc -1o 5eho 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4yxo 1o 69ic -1o 4yxo 1o b8ec 1o @America/Adak 2l
America/Nuuk =America/Godthab
America/Ojinaga -a0 8839c 1o 69ic -1o 4yxo 1o 69ic -1o b8ho -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 5u1o 1o 4jac -1o 5u1o 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4blo 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 43to 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 43to 1o 7cec -1o 3w1o 1o b8ec 1o @America/Adak 1j
America/Panama -8c
America/Pangnirtung =America/Iqaluit
America/Paramaribo -5u 4m9pu u
America/Phoenix -bo
America/Port-au-Prince -8c 46gwc 1o 5eec -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 4yzc 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4yw0 1o 69k0 -1o 4yw0 1o 69k0 -1o 4yw0 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4yw0 1o 69k0 -1o 4yw0 1o 69k0 -1o 2btqc 1o 6hac -1o 4r5o 1o 6hac -1o 1ohx0 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o 3w1o 1o 7cec -1o fc9o 1o @America/Adak 1v
America/Port_of_Spain =America/Puerto_Rico
America/Porto_Acre =America/Rio_Branco
America/Porto_Velho -6o 4yiuo 1o @America/Belem 5
America/Puerto_Rico -6o
America/Punta_Arenas -50 2ot0 -1o 61to 1o 4r2c -1o 6hdo 1o 4r2c -1o 6p5o 1o 4jac -1o 69lo 1o 4yuc -1o 6p5o 1o 4jac -1o 6p5o 1o 4r2c -1o 6hdo 1o 4r2c -1o 6hdo 1o 4r2c -1o 6p5o 1o 4jac -1o 6p5o 1o 4jac -1o 6p5o 1o 4r2c -1o 6hdo 1o 4r2c -1o 6hdo 1o 4r2c -1o 6hdo 1o 4r2c -1o 6p5o 1o 4jac -1o 6p5o 1o 4jac -1o 6p5o 1o 5m6c -1o 5m9o 1o 4r2c -1o 6hdo 1o 4r2c -1o 6p5o 1o 4jac -1o 5u1o 1o 5eec -1o 6p5o 1o 4r2c -1o 6hdo 1o 4r2c -1o 6hdo 1o 4r2c -1o 6hdo 1o 4r2c -1o 6p5o 1o 4jac -1o 6p5o 1o 56mc -1o 61to 1o 4r2c -1o 61to 1o 5tyc -1o 5u1o 1o 4r2c -1o 6p5o 1o 4jac -1o 6p5o 1o 4jac -1o 6p5o 1o 4jac -1o 6p5o 1o 4r2c -1o 6hdo 1o 4r2c -1o 6hdo 1o 4r2c -1o 6p5o 1o 4jac -1o 6p5o 1o 56mc -1o 61to 1o 4r2c -1o 6hdo 1o 5eec -1o 5u1o 1o 6hac -1o 38po 1o 7ryc -1o 3w1o 1o 7cec -1o 43to 1o 74mc -1o 43to 1o j0ec -1o 2t5o 1o
America/Rainy_River =America/Winnipeg
America/Rankin_Inlet -a0 q8tc 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5tyc -1o 5eho 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5tyc -1o 5eho 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o hpqc -1o @America/Adak 2q
America/Recife -50 4yit0 1o @America/Noronha f
America/Regina -a0
America/Resolute -a0 q8tc 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5tyc -1o 5eho 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5tyc -1o 5eho 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o hpqc -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o hxic -1o @America/Adak 2e
America/Rio_Branco -8c 4yiwc 1o 43qc -1o 6wxo 1o 3gec -1o 7t5o 1o 38mc -1o 6dq1o 1o 1onac -1o
America/Rosario =America/Argentina/Cordoba
America/Santa_Isabel =America/Tijuana
America/Santarem -6o 4yiuo 1o 43qc -1o 6wxo 1o 3gec -1o 7t5o 1o 38mc -1o 6dq1o 1o
America/Santiago -50 2ot0 -1o 61to 1o 4r2c -1o 6hdo 1o 4r2c -1o 6p5o 1o 4jac -1o 69lo 1o 4yuc -1o 6p5o 1o 4jac -1o 6p5o 1o 4r2c -1o 6hdo 1o 4r2c -1o 6hdo 1o 4r2c -1o 6p5o 1o 4jac -1o 6p5o 1o 4jac -1o 6p5o 1o 4r2c -1o 6hdo 1o 4r2c -1o 6hdo 1o 4r2c -1o 6hdo 1o 4r2c -1o 6p5o 1o 4jac -1o 6p5o 1o 4jac -1o 6p5o 1o 5m6c -1o 5m9o 1o 4r2c -1o 6hdo 1o 4r2c -1o 6p5o 1o 4jac -1o 5u1o 1o 5eec -1o 6p5o 1o 4r2c -1o 6hdo 1o 4r2c -1o 6hdo 1o 4r2c -1o 6hdo 1o 4r2c -1o 6p5o 1o 4jac -1o 6p5o 1o 56mc -1o 61to 1o 4r2c -1o 61to 1o 5tyc -1o 5u1o 1o 4r2c -1o 6p5o 1o 4jac -1o 6p5o 1o 4jac -1o 6p5o 1o 4jac -1o 6p5o 1o 4r2c -1o 6hdo 1o 4r2c -1o 6hdo 1o 4r2c -1o 6p5o 1o 4jac -1o 6p5o 1o 56mc -1o 61to 1o 4r2c -1o 6hdo 1o 5eec -1o 5u1o 1o 6hac -1o 38po 1o 7ryc -1o 3w1o 1o 7cec -1o 43to 1o 74mc -1o 43to 1o j0ec -1o 2t5o 1o 8fac -1o 2t5o 1o 8fac -1o 2t5o 1o 7cec -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4yxo 1o 69ic -1o 4r5o 1o 6p2c -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6p2c -1o 4jdo 1o 6p2c -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6p2c -1o 4jdo 1o 6p2c -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6p2c -1o 4jdo 1o @Africa/Windhoek k
America/Santo_Domingo -7i 1kvi -u 7lcu u 2on6 -u 8rku u 2j36 -u 8pcu u 2lb6 -u 8n4u u 2mf6 -u 8m0u 1o 856ho -1o 12w0 1o
America/Sao_Paulo -50 4yit0 1o @America/Campo_Grande 1v
America/Scoresbysund -3c 37omo 1o 5eg0 -1o 5m4o 3c 5m6c -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5u00 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5u00 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5u00 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o b8g0 -1o @Africa/Ceuta 1g
America/Shiprock =America/Denver
America/Sitka -dc 3k8o 1o 5m6c -1o 5m9o 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 25to 1o 92mc -1o 3o9o 1o 7k6c -1o 5m9o 1o 5tyc -1o 5eho 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o @America/Juneau 3v
America/St_Barthelemy =America/Puerto_Rico
America/St_Johns -5u 3k16 1o @America/Goose_Bay 4h
America/St_Kitts =America/Puerto_Rico
America/St_Lucia =America/Puerto_Rico
America/St_Thomas =America/Puerto_Rico
America/St_Vincent =America/Puerto_Rico
America/Swift_Current -bo q8v0 1o
America/Tegucigalpa -a0 5feq0 1o 4jac -1o 6p5o 1o 4jac -1o 5ijto 1o 2u6c -1o
America/Thule -6o 6nhe0 1o 5m6c -1o 5m9o 1o 5m6c -1o 5u1o 1o @America/Adak 37
America/Thunder_Bay =America/Toronto
America/Tijuana -dc 3k8o 1o 5m6c -1o 5m9o 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 25to 1o 92mc -1o 3o9o 1o 7k6c -1o 5m9o 1o 5tyc -1o 5eho 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5tyc -1o 5eho 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4yxo 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4yxo 1o 69ic -1o 4yxo 1o 69ic -1o 4blo 1o @America/Adak 29
America/Toronto -8c 3k3o 1o @America/Halifax 4h
America/Tortola =America/Puerto_Rico
America/Vancouver -dc 3k8o 1o 5m6c -1o 5m9o 1o 5tyc -1o 5m9o 1o @America/Edmonton 30
America/Virgin =America/Puerto_Rico
America/Whitehorse -dc 38c8o 1o @America/Dawson 28
America/Winnipeg -a0 3k5c 1o 5m80 -1o 5m80 1o 5u00 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5u00 -1o 5eg0 1o 5u00 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5u00 -1o 5eg0 1o 5u00 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 4yw0 1o 69k0 -1o 4yw0 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4yw0 1o 69k0 -1o 4yw0 1o 69k0 -1o 4yw0 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4yw0 1o 69k0 -1o 4yw0 1o 69k0 -1o 4yw0 1o 69k0 -1o 4yw0 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4yw0 1o 69k0 -1o 4yw0 1o 69k0 -1o 4yw0 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o @America/Edmonton 14
America/Yakutat -f0 3kac 1o @America/Chicago 4h
America/Yellowknife =America/Edmonton
Antarctica/Casey dc cglq0 50 4970 -50 il10 50 3lyc -50 1glac 50 fl5o -50 6hh0 50 4ypc -50 67h0 50 4t70 -50 6hc1 50 4yqz -50 69p1 50 4yqz -50 69p1 50 4vjz -50
Antarctica/Davis bo cglro -3c 4g1o 3c ie6c -3c 3m1o 3c
Antarctica/DumontDUrville =Pacific/Port_Moresby
Antarctica/Macquarie ic 20yo -1o 74o0 1o 4bk0 -1o 74o0 1o 3o80 -1o 7k80 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 43s0 -1o 7cg0 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 4r40 -1o 6p40 1o 4jc0 -1o 6p40 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 3w00 -1o 74o0 1o 4jc0 -1o 6ww0 1o 4jc0 -1o 6ww0 1o 4bk0 -1o 6ww0 1o 4bk0 -1o 6ww0 1o 4r40 -1o 5u00 1o 5eg0 -1o 5u00 1o 5eg0 -1o 5u00 1o 5eg0 -1o 5u00 1o 5eg0 -1o 5u00 1o 5m80 -1o 5u00 1o 5eg0 -1o 5u00 1o 5eg0 -1o 5u00 1o 5eg0 -1o 5u00 1o 5eg0 -1o 4r40 1o 6hc0 -1o 61s0 1o 5eg0 -1o 5u00 1o 5eg0 -1o 5u00 1o 5eg0 -1o 5u00 1o 5eg0 -1o 5u00 1o 5m80 -1o 5m80 1o 5eg0 -1o 61s0 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o guo0 -1o 5m80 1o 5m80 -1o 5u00 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5u00 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5u00 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5u00 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5u00 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5u00 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5u00 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o
Antarctica/Mawson a0 cgltc -1o
Antarctica/McMurdo =Pacific/Auckland
Antarctica/Palmer -50 19rx0 1o 30uc -1o 2i6po -1o 501o 1o @America/Punta_Arenas 1u
Antarctica/Rothera 0 25yo0 -50
Antarctica/South_Pole =Pacific/Auckland
Antarctica/Syowa =Asia/Riyadh
Antarctica/Troll 0 b16xo 3c 6p40 -3c 4jc0 3c 6p40 -3c 4jc0 3c 6p40 -3c 4r40 3c 6hc0 -3c 4r40 3c 6hc0 -3c 4r40 3c 6p40 -3c 4jc0 3c 6p40 -3c 4jc0 3c 6p40 -3c 4r40 3c 6hc0 -3c 4r40 3c 6hc0 -3c 4r40 3c 6hc0 -3c 4r40 3c 6p40 -3c 4jc0 3c 6p40 -3c 4jc0 3c 6p40 -3c 4r40 3c 6hc0 -3c 4r40 3c 6hc0 -3c 4r40 3c 6p40 -3c 4jc0 3c 6p40 -3c 4jc0 3c 6p40 -3c 4r40 3c 6hc0 -3c 4r40 3c 6hc0 -3c 4r40 3c 6hc0 -3c 4r40 3c 6p40 -3c 4jc0 3c 6p40 -3c 4jc0 3c 6p40 -3c 4r40 3c 6hc0 -3c 4r40 3c 6hc0 -3c 4r40 3c 6p40 -3c 4jc0 3c 6p40 -3c 4jc0 3c 6p40 -3c 4jc0 3c 6p40 -3c 4r40 3c 6hc0 -3c 4r40 3c 6hc0 -3c 4r40 3c 6p40 -3c 4jc0 3c 6p40 -3c 4jc0 3c 6p40 -3c 4r40 3c 6hc0 -3c 4r40 3c 6hc0 -3c 4r40 3c 6hc0 -3c 4r40 3c 6p40 -3c 4jc0 3c 6p40 -3c 4jc0 3c 6p40 -3c 4r40 3c 6hc0 -3c 4r40 3c 6hc0 -3c 4r40 3c 6p40 -3c 4jc0 3c 6p40 -3c
Antarctica/Vostok bo 7ji4c -bo 8fno bo 94cvo -3c
Arctic/Longyearbyen =Europe/Berlin
Asia/Aden =Asia/Riyadh
Asia/Almaty a0 3is60 1o 5nac -1o 5m9o 1o 5nac -1o 5m9o 1o 5nac -1o 5ndo 1o 5mbc -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5u00 -1o b8ho -1o 3gg0 1o 25qc 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5u00 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 61xgo -1o
Asia/Amman 3c 12n0o 1o 3lyc -1o 6jlo 1o 4pyc -1o 6jlo 1o 4pyc -1o 6kpo 1o 5oec -1o 5l5o 1o 4pyc -1o 6iho 1o 4pyc -1o 21axo 1o 5nac -1o 5plo 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5tyc -1o 6kpo 1o 4nqc -1o 69lo 1o 4yuc -1o 5zlo 1o 512c -1o 61to 1o 5eec -1o 5m9o 1o 5m6c -1o 5m9o 1o 56mc -1o 69lo 1o 4yw0 -1o 69k0 1o 56o0 -1o 61s0 1o 56o0 -1o 61s0 1o 56o0 -1o 8ts0 1o 2mg0 -1o 5sw0 1o 5nc0 -1o 5l40 1o 5nc0 -1o 5m80 1o 5m80 -1o 5m80 1o 6hc0 -1o 4r40 1o 69k0 -1o 56o0 1o 5m80 -1o 5m80 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o jfyc -1o 30xo 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 3o80 1o
Asia/Anadyr lo 3iruc 1o 5nac -1o b9lo -1o 5m9o 1o 5nac -1o 5ndo 1o 5mbc -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5u00 -1o b8ho -1o 3gg0 1o 25qc 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5u00 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o bg9o -1o 4jc0 1o
Asia/Aqtau 8c 3ofjo 1o b9ic -1o 5m9o 1o 5nac -1o 5ndo 1o 5mbc -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5u00 -1o b8ho -1o 3gg0 1o 25qc 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -3c 5m9o 1o 5m80 -1o 5u00 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o
Asia/Aqtobe 8c 3is7o 1o gwuc -1o 5m9o 1o 5nac -1o 5ndo 1o 5mbc -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5u00 -1o b8ho -1o 3gg0 1o 25qc 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5u00 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o
Asia/Ashgabat 8c 3is7o 1o 5nac -1o 5m9o 1o 5nac -1o 5m9o 1o 5nac -1o 5ndo 1o 5mbc -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5u00 -1o b8ho -1o 3gg0 1o
Asia/Ashkhabad =Asia/Ashgabat
Asia/Atyrau 8c 3ofjo 1o b9ic -1o 5m9o 1o 5nac -1o 5ndo 1o 5mbc -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5u00 -1o b8ho -1o 3gg0 1o 25qc 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5u00 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o bg9o -1o @Asia/Aqtau 9
Asia/Baghdad 50 3uz70 1o 4pyc -1o 5l5o 1o 5oec -1o 5ndo 1o 5nac -1o 5m9o 1o 5l5o -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5u00 -1o 5nfc 1o 5nc0 -1o 5nc0 1o 5nc0 -1o 5m80 1o 5nc0 -1o 5m80 1o 5nc0 -1o 5m80 1o 5nc0 -1o 5nc0 1o 5nc0 -1o 5m80 1o 5nc0 -1o 5m80 1o 5nc0 -1o 5m80 1o 5nc0 -1o 5nc0 1o 5nc0 -1o 5m80 1o 5nc0 -1o 5m80 1o 5nc0 -1o 5m80 1o 5nc0 -1o 5nc0 1o 5nc0 -1o 5m80 1o 5nc0 -1o 5m80 1o 5nc0 -1o 5m80 1o 5nc0 -1o
Asia/Bahrain =Asia/Qatar
Asia/Baku 6o 3is9c 1o 5nac -1o 5m9o 1o 5nac -1o 5m9o 1o 5nac -1o 5ndo 1o 5mbc -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5u00 -1o b8ho -1o 5m80 1o 195nc 1o 6hc0 -1o 4r2c 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o
Asia/Bangkok bo
Asia/Barnaul bo 3is4c 1o 5nac -1o 5m9o 1o 5nac -1o 5m9o 1o 5nac -1o 5ndo 1o 5mbc -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5u00 -1o b8ho -1o 3gg0 1o 25qc 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 1xv0 -1o 3oeo -1o 5u00 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 14eec -1o fzlo 1o
Asia/Beirut 3c rv8o 1o 346c -1o 6jlo 1o 4pyc -1o 6jlo 1o 4pyc -1o 6jlo 1o 4pyc -1o 6kpo 1o 4pyc -1o 6jlo 1o 4pyc -1o 6iho 1o 4pyc -1o 1qypo 1o 56mc -1o 62xo 1o 56mc -1o 62xo 1o 56mc -1o 62xo 1o 56mc -1o 72ho 1o 486c -1o 6cxo 1o 4wmc -1o 62xo 1o 56mc -1o 62xo 1o 56mc -1o 641o 1o 4tac -1o 5eho 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5u1o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 6p2c -1o 4jdo 1o 6p2c -1o 4jdo 1o 6p2c -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6p2c -1o 4jdo 1o 6p2c -1o 4jdo 1o 6p2c -1o 4jdo 1o 6p2c -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6p2c -1o 4jdo 1o 6p2c -1o 4jdo 1o 6p2c -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6p2c -1o 4jdo 1o 6p2c -1o 4jdo 1o 6p2c -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6p2c -1o 4jdo 1o 6p2c -1o 4jdo 1o 6p2c -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6p2c -1o 4jdo 1o 6p2c -1o 4jdo 1o 6p2c -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6p2c -1o 4jdo 1o 6p2c -1o 4jdo 1o 6p2c -1o 4jdo 1o 6p2c -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6p2c -1o 4jdo 1o 6p2c -1o 4jdo 1o 6p2c -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6p2c -1o 4jdo 1o 6p2c -1o 4jdo 1o 6p2c -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6p2c -1o 4jdo 1o 6p2c -1o
Asia/Bishkek a0 3is60 1o 5nac -1o 5m9o 1o 5nac -1o 5m9o 1o 5nac -1o 5ndo 1o 5mbc -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5u00 -1o ac80 -1o 6xyc 1o 56mc -1o 61to 1o 56mc -1o 61to 1o 56mc -1o 61to 1o 56mc -1o 61to 1o 5eec -1o 5mdu 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6p2c -1o 4jdo 1o 6p2c -1o 4jdo 1o 6p2c -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6p2c -1o 4jdo 1o
Asia/Brunei dc
Asia/Calcutta =Asia/Kolkata
Asia/Chita f0 3is10 1o 5nac -1o 5m9o 1o 5nac -1o 5m9o 1o 5nac -1o 5ndo 1o 5mbc -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5u00 -1o b8ho -1o 3gg0 1o 25qc 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5u00 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 14eec -3c fznc 1o
Asia/Choibalsan =Asia/Ulaanbaatar
Asia/Chongqing =Asia/Shanghai
Asia/Chungking =Asia/Shanghai
Asia/Colombo 96 89jyu 1o 4r36 -u 2yq8u -u
Asia/Dacca =Asia/Dhaka
Asia/Damascus 3c 3pc0 1o 4pyc -1o 6jlo 1o 4pyc -1o 6kpo 1o 4pyc -1o 6jlo 1o 4pyc -1o 6jlo 1o 4pyc -1o 6jlo 1o 4pyc -1o 6kpo 1o 4pyc -1o 6jlo 1o 3smc -1o 7gxo 1o 3smc -1o 1fvto 1o 5eec -1o 5w9o 1o 5eec -1o fixo 1o 792c -1o 4exo 1o 7j2c -1o 475o 1o 73ic -1o 4nto 1o 5oec -1o 5m9o 1o 5m6c -1o 5nac 1o 5nac -1o 5v5o 1o 5fic -1o 5flo 1o 5nac -1o 5sxo 1o 5nac -1o 5m9o 1o 5nac -1o 5ndo 1o 5nac -1o 5l5o 1o 5oec -1o 5k1o 1o 5pic -1o 5m9o 1o 5nac -1o 5ndo 1o 5nac -1o 5m9o 1o 5nac -1o 5m9o 1o 5nac -1o 5m9o 1o 5nac -1o 5ndo 1o 5nac -1o 5m9o 1o 5nac -1o 5m9o 1o 5dac -1o 5u1o 1o 6p2c -1o 4r5o 1o 6iec -1o 4i9o 1o 6p2c -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6p2c -1o 4jdo 1o 6p2c -1o 4jdo 1o 6p2c -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6p2c -1o 4jdo 1o 6p2c -1o 4jdo 1o
Asia/Dhaka a0 ccwcc 1o 60o0 -1o
Asia/Dili f0 1zep0 -1o 7ms9o 1o
Asia/Dubai 6o
Asia/Dushanbe a0 3is60 1o 5nac -1o 5m9o 1o 5nac -1o 5m9o 1o 5nac -1o 5ndo 1o 5mbc -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5u00 -1o am9o -1o
Asia/Famagusta 3c 1ni4o 1o 5m6c -1o 6o1o 1o 4lic -1o 5ddo 1o 5eec -1o 5u1o 1o 5nac -1o 5l5o 1o 5m6c -1o 5u1o 1o 5eec -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5u1o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 6hh0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o hxk0 -1o @Africa/Ceuta 1u
Asia/Gaza 3c 1ev0o 1o 30uc -1o 5u1o 1o 43qc -1o 1jixo 1o 1ao0 -1o 151s0 1o 3gg0 -1o 74o0 1o 4bic -1o 7zto 1o 3gec -1o 6sho 1o 4nqc -1o 6hdo 1o 4jac -1o 7cho 1o 3vyc -1o 69lo 1o 4r2c -1o 6hdo 1o 4yuc -1o 6hdo 1o 4yuc -1o 6f5o 1o 4tac -1o 6f5o 1o 4lic -1o 6mxo 1o 4tac -1o 6mxo 1o 56o0 -1o 61s0 1o 56o0 -1o 61s0 1o 56o0 -1o 6hc0 1o 5m6c -1o 5u1o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 56o0 -1o 61s0 1o 5b5o -1o 5iuc 1o 5dac -1o 5w9o 1o 53do -1o 62uc 1o 4r2c -1o 6hdo 1o 4yw0 -1o 6ao1 1o 486b -1o 76xp 1o 3rib -1o 7gxo 1o 5eg0 -1o 5u00 1o 5m6c -1o 5m9o 1o 6hac -1o 4s9o 1o 6g80 -1o 4s9o 1o 6p2c -1o 4jdo 1o 6p2c -1o 4jdo 1o 6p2c -1o 4q00 1o 6iec -1o 4r5o 1o 6hc0 -1o 4r40 1o 6o00 -1o 4lk0 1o 6o1o -1o 5m9o 1o 5m6c -1o 5eho 1o 5tyc -1o 56po 1o 61qc -1o 4r5o 1o 6hac -1o 4r5o 1o 6p2c -1o 4jdo 1o 6p2c -1o 4jdo 1o 6p2c -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 6p2c -1o 4jdo 1o 6p2c -1o 4jdo 1o 6p2c -1o 4jdo 1o 6p2c -1o 4r5o 1o 69ic -1o 4yxo 1o 61qc -1o 56po 1o 5m6c -1o 5m9o 1o 5eec -1o 5u1o 1o 4yuc -1o 1iho 1o 7qc -1o 4r5o 1o 4jac -1o 1apo 1o nac -1o 4r5o 1o 4bic -1o 1apo 1o v2c -1o 4r5o 1o 3vyc -1o 1iho 1o 12uc -1o 4r5o 1o 3o6c -1o 1apo 1o 1q6c -1o 4jdo 1o 3gec -1o 1apo 1o 1xyc -1o 4jdo 1o 30uc -1o 1iho 1o 25qc -1o 4r5o 1o 2lac -1o 1apo 1o 2lac -1o 4r5o 1o 25qc -1o 1iho 1o 2t2c -1o 4r5o 1o 1xyc -1o 1apo 1o 3gec -1o 4jdo 1o 1q6c -1o 1apo 1o 3o6c -1o
Asia/Harbin =Asia/Shanghai
Asia/Hebron 3c 1ev0o 1o 30uc -1o 5u1o 1o 43qc -1o 1jixo 1o 1ao0 -1o 151s0 1o 3gg0 -1o 74o0 1o 4bic -1o 7zto 1o 3gec -1o 6sho 1o 4nqc -1o 6hdo 1o 4jac -1o 7cho 1o 3vyc -1o 69lo 1o 4r2c -1o 6hdo 1o 4yuc -1o 6hdo 1o 4yuc -1o 6f5o 1o 4tac -1o 6f5o 1o 4lic -1o 6mxo 1o 4tac -1o 6mxo 1o 56o0 -1o 61s0 1o 56o0 -1o 61s0 1o 56o0 -1o 6hc0 1o 5m6c -1o 5u1o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 56o0 -1o 61s0 1o 5b5o -1o 5iuc 1o 5dac -1o 5w9o 1o 53do -1o 62uc 1o 4uec -1o 6e1o 1o 4yw0 -1o 69k0 1o 49ac -1o 76xp 1o 3rib -1o w9o 1o yec -1o 5m9o 1o @Asia/Gaza 2r
Asia/Ho_Chi_Minh dc 1pdmo -1o
Asia/Hong_Kong dc 3bsi 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5tyc -1o 5m9o 1o 5m6c -1o 25to 1o 92mc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o sy9o 1o 4yuc -1o
Asia/Hovd a0 2i6e0 1o @Asia/Ulaanbaatar 1c
Asia/Irkutsk dc 3is2o 1o 5nac -1o 5m9o 1o 5nac -1o 5m9o 1o 5nac -1o 5ndo 1o 5mbc -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5u00 -1o b8ho -1o 3gg0 1o 25qc 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5u00 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 14eec -1o
Asia/Istanbul =Europe/Istanbul
Asia/Jakarta bo
Asia/Jayapura f0
Asia/Jerusalem 3c 1ev0o 1o 30uc -1o 5u1o 1o 43qc -1o 1jixo 1o 1ao0 -1o 151s0 1o 3gg0 -1o 74o0 1o 4bic -1o 7zto 1o 3gec -1o 6sho 1o 4nqc -1o 6hdo 1o 4jac -1o 7cho 1o 3vyc -1o 69lo 1o 4r2c -1o 6hdo 1o 4yuc -1o 6hdo 1o 4yuc -1o 6f5o 1o 4tac -1o 6f5o 1o 4lic -1o 6mxo 1o 4tac -1o 5zlo 1o 5pic -1o 5qpo 1o 5gmc -1o 5rto 1o 58uc -1o 6f90 1o 4r2c -1o 6wxo 1o 5eco -1o 5plo 1o 56mc -1o 5qpo 1o 5xac -1o 5b5o 1o 5tyc -1o 5rto 1o 56mc -1o 5wbc 1o 5w6c -1o 5c9o 1o 5oec -1o 5k1o 1o 58uc -1o 5zlo 1o 5w6c -1o 5c9o 1o 5oec -1o 5k1o 1o 58uc -1o 67do 1o 5oec -1o 5k1o 1o 5gmc -1o 5rto 1o 6jic -1o 4oxo 1o 6jic -1o 4oxo 1o 6jic -1o 4oxo 1o 6rac -1o 4h5o 1o 6rac -1o 4h5o 1o 6rac -1o 4oxo 1o 6jic -1o 4oxo 1o 6jic -1o 4oxo 1o 6rac -1o 4h5o 1o 6rac -1o 4h5o 1o 6rac -1o 4oxo 1o 6jic -1o 4oxo 1o 6jic -1o 4oxo 1o 6jic -1o 4oxo 1o 6rac -1o 4h5o 1o 6rac -1o 4h5o 1o 6rac -1o 4oxo 1o 6jic -1o 4oxo 1o 6jic -1o 4oxo 1o 6rac -1o 4h5o 1o 6rac -1o 4h5o 1o 6rac -1o 4h5o 1o 6rac -1o 4oxo 1o 6jic -1o 4oxo 1o 6jic -1o 4oxo 1o 6rac -1o 4h5o 1o 6rac -1o 4h5o 1o 6rac -1o 4oxo 1o 6jic -1o 4oxo 1o 6jic -1o 4oxo 1o 6jic -1o 4oxo 1o 6rac -1o 4h5o 1o 6rac -1o 4h5o 1o 6rac -1o 4oxo 1o 6jic -1o 4oxo 1o 6jic -1o 4oxo 1o 6rac -1o 4h5o 1o 6rac -1o
Asia/Kabul 7i
Asia/Kamchatka k0 3irw0 1o 5nac -1o 5m9o 1o 5nac -1o @Asia/Anadyr 1k
Asia/Karachi 8c a3p3o 1o 5m6c -1o 1rqho 1o 4pyc -1o 53do 1o 666c -1o
Asia/Kashgar =Asia/Urumqi
Asia/Kathmandu 96 50d2u f
Asia/Katmandu =Asia/Kathmandu
Asia/Khandyga f0 3is10 1o 5nac -1o 5m9o 1o 5nac -1o 5m9o 1o 5nac -1o 5ndo 1o 5mbc -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5u00 -1o b8ho -1o 3gg0 1o 25qc 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5u00 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 22co 1o 2opo 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 58r0 -1o z5p0 -1o
Asia/Kolkata 96
Asia/Krasnoyarsk bo 3is4c 1o @Asia/Irkutsk 1p
Asia/Kuala_Lumpur ci 3r9mo u
Asia/Kuching =Asia/Brunei
Asia/Kuwait =Asia/Riyadh
Asia/Macao =Asia/Macau
Asia/Macau dc @Asia/Hong_Kong g
Asia/Magadan ic 3irxo 1o 5nac -1o 5m9o 1o 5nac -1o 5m9o 1o 5nac -1o 5ndo 1o 5mbc -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5u00 -1o b8ho -1o 3gg0 1o 25qc 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5u00 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 14eec -3c gurc 1o
Asia/Makassar dc
Asia/Manila dc 29kao 1o 5hqc -1o 3ypto 1o 24mc -1o
Asia/Muscat =Asia/Dubai
Asia/Nicosia 3c 1ni4o 1o 5m6c -1o 6o1o 1o 4lic -1o 5ddo 1o 5eec -1o 5u1o 1o 5nac -1o 5l5o 1o 5m6c -1o 5u1o 1o 5eec -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5u1o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 6hh0 -1o @Africa/Ceuta 2w
Asia/Novokuznetsk bo 3is4c 1o @Asia/Kamchatka 1n
Asia/Novosibirsk bo 3is4c 1o 5nac -1o 5m9o 1o 5nac -1o 5m9o 1o 5nac -1o 5ndo 1o 5mbc -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5u00 -1o b8ho -1o 3gg0 1o 25qc 1o 5m80 -1o 5m80 1o 1q30 -1o 3w6o -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5u00 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 14eec -1o jnto 1o
Asia/Omsk a0 3is60 1o @Asia/Irkutsk 1p
Asia/Oral 8c 3is7o 1o gwuc -1o 5m9o 1o 5nac -1o 5ndo 1o 5mbc -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o b8ho -1o 5m80 1o 5u00 -1o 5m80 1o 5m80 -1o 3gg0 1o 7s00 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o @Asia/Aqtau i
Asia/Phnom_Penh =Asia/Bangkok
Asia/Pontianak dc 5mw2o -1o
Asia/Pyongyang f0 ea8x0 -u uog0 u
Asia/Qatar 6o r7tc -1o
Asia/Qostanay 8c 3is7o 1o gwuc -1o 5m9o 1o 5nac -1o 5ndo 1o 5mbc -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5u00 -1o b8ho -1o 3gg0 1o 25qc 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5u00 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 68mj0 -1o
Asia/Qyzylorda 8c 3is7o 1o gwuc -1o 5m9o 1o 5nac -1o 5ndo 1o 5mbc -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5u00 -1o eow0 1o 7s00 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5u00 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 4m2r0 -1o
Asia/Rangoon au
Asia/Riyadh 50
Asia/Saigon =Asia/Ho_Chi_Minh
Asia/Sakhalin ic 3irxo 1o 5nac -1o 5m9o 1o 5nac -1o 5m9o 1o 5nac -1o 5ndo 1o 5mbc -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5u00 -1o b8ho -1o 3gg0 1o 25qc 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5u00 1o 6hc0 -1o b8ho -1o @Asia/Barnaul t
Asia/Samarkand 8c 3is7o 1o gwuc -1o 5m9o 1o 5nac -1o 5ndo 1o 5mbc -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5u00 -1o 5m80 1o 5m80 -1o
Asia/Seoul f0 5flwc 1o 4r40 -1o 6hc0 1o 4r40 -1o
Asia/Shanghai dc 545q0 1o 43qc -1o 6hdo 1o 4r2c -1o 6p5o 1o 4jac -1o 6p5o 1o @America/Montevideo 5
Asia/Singapore =Asia/Kuala_Lumpur
Asia/Srednekolymsk ic 3irxo 1o @Asia/Irkutsk 1p
Asia/Taipei dc 1buyo 1o 5nac -1o 5m9o 1o 5nac -1o 1695o 1o 2u6c -1o
Asia/Tashkent a0 3is60 1o 5nac -1o 5m9o 1o 5nac -1o 5m9o 1o 5nac -1o 5ndo 1o 5mbc -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5u00 -1o b8ho -1o
Asia/Tbilisi 6o 3is9c 1o 5nac -1o 5m9o 1o 5nac -1o 5m9o 1o 5nac -1o 5ndo 1o 5mbc -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5u00 -1o b8ho -1o 5m4o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o b8ec 1o 5m6c -1o 5u1o 1o hpqc -1o 4r5o 1o 6hac -1o 4r5o 1o 6p2c -1o 4jdo 1o 6p2c -1o 4jdo 1o 6p2c -1o 4r5o 1o 6hac -1o 4r5o 1o 6hac -1o 4r5o 1o 2t2c -1o 3w6o -1o 4jc0 1o
Asia/Tehran 5u 29dsi 1o 6ko0 -u 4s8u 1o 43s0 -1o 30w0 -u 61su 1o 3kuc -1o 5oho 1o 5qmc -1o 3bkho 1o 4dqc -1o 5m9o 1o 5oec -1o 5l5o 1o 5oec -1o 5l5o 1o 5oec -1o 5l5o 1o 5oec -1o 5l5o 1o 5oec -1o 5m9o 1o 5oec -1o 5l5o 1o 5oec -1o 5l5o 1o 5oec -1o 5l5o 1o 5oec -1o 5m9o 1o 5oec -1o 5l5o 1o 5oec -1o 5l5o 1o 5oec -1o 5l5o 1o 5oec -1o 5m9o 1o 5oec -1o s49o 1o 5oec -1o 5m9o 1o 5oec -1o 5l5o 1o 5oec -1o 5l5o 1o 5oec -1o 5l5o 1o 5oec -1o 5m9o 1o 5oec -1o 5l5o 1o 5oec -1o 5l5o 1o 5oec -1o 5l5o 1o 5oec -1o 5m9o 1o 5oec -1o 5l5o 1o 5oec -1o 5l5o 1o 5oec -1o 5l5o 1o 5oec -1o 5m9o 1o 5oec -1o 5l5o 1o 5oec -1o
Asia/Tel_Aviv =Asia/Jerusalem
Asia/Thimbu =Asia/Thimphu
Asia/Thimphu 96 5k1yu u
Asia/Tokyo f0
Asia/Tomsk bo 3is4c 1o 5nac -1o 5m9o 1o 5nac -1o 5m9o 1o 5nac -1o 5ndo 1o 5mbc -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5u00 -1o b8ho -1o 3gg0 1o 25qc 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5u00 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o yg0 -1o 5ixo -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 14eec -1o hxlo 1o
Asia/Ujung_Pandang =Asia/Makassar
Asia/Ulaanbaatar bo 2i6cc 1o 1n4uc 1o 5nac -1o 5ndo 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5tyc -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5u1o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o t510 1o 4r2c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5tyc -1o 2nplo 1o 5m30 -1o 5md0 1o 5m30 -1o
Asia/Ulan_Bator =Asia/Ulaanbaatar
Asia/Urumqi a0
Asia/Ust-Nera f0 3is10 50 5n70 -1o 5m9o 1o 5nac -1o 5m9o 1o 5nac -1o 5ndo 1o 5mbc -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5u00 -1o b8ho -1o 3gg0 1o 25qc 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5u00 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o @Asia/Khandyga g
Asia/Vientiane =Asia/Bangkok
Asia/Vladivostok go 3irzc 1o @Asia/Irkutsk 1p
Asia/Yakutsk f0 3is10 1o @Asia/Irkutsk 1p
Asia/Yangon =Asia/Rangoon
Asia/Yekaterinburg 8c 3is7o 1o @Asia/Irkutsk 1p
Asia/Yerevan 6o 3is9c 1o 5nac -1o 5m9o 1o 5nac -1o 5m9o 1o 5nac -1o 5ndo 1o 5mbc -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5u00 -1o b8ho -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o momc 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o @Africa/Ceuta d
Atlantic/Azores -1o 3txlo 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5u00 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5u00 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 2t5o 1o 2t2c 1o 2i00 -1o 3480 -1o @Africa/Ceuta 36
Atlantic/Bermuda -6o 1cpm0 1o @America/Glace_Bay 49
Atlantic/Canary 0 37og0 1o 5eho -1o @Europe/Berlin 3w
Atlantic/Cape_Verde -3c 1uhio 1o
Atlantic/Faeroe =Atlantic/Faroe
Atlantic/Faroe 0 3ip5o 1o @Europe/Berlin 3v
Atlantic/Jan_Mayen =Europe/Berlin
Atlantic/Madeira 0 3u5c0 1o 5eg0 -1o 5m80 1o 5m80 -1o 5m80 1o 5u00 -1o 5m80 1o 5m80 -1o 5m80 1o 5m9o -1o @Africa/Ceuta 3k
Atlantic/Reykjavik =Africa/Abidjan
Atlantic/South_Georgia -3c
Atlantic/St_Helena =Africa/Abidjan
Atlantic/Stanley -6o 4692o 1o 4jac 1o 6p2c -1o 4blo 1o 6wuc -1o b0po -1o 4jdo 1o 6p2c -1o 4jdo 1o 6p2c -1o 4jdo 1o 6p2c -1o 4jdo 1o 6wuc -1o 4blo 1o 6wuc -1o 4jdo 1o 6p2c -1o 4jdo 1o 6p2c -1o 4jdo 1o 6p2c -1o 4jdo 1o 6p2c -1o 4jdo 1o 6wuc -1o 4jdo 1o 6p2c -1o 4jdo 1o 6p2c -1o 4jdo 1o 6p2c -1o 4jdo 1o 6p2c -1o 4jdo 1o 6p5o -1o 4blo 1o 74mc -1o 43to 1o 74mc -1o 4blo 1o 6wuc -1o 4blo 1o 6wuc -1o 4blo 1o 6wuc -1o 4blo 1o 6wuc -1o 4blo 1o 74mc -1o 4blo 1o 6wuc -1o 4blo 1o 6wuc -1o 4blo 1o
Australia/ACT =Australia/Sydney
Australia/Adelaide fu klvi 1o 3o80 -1o 7k80 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 43s0 -1o 7cg0 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 43s0 -1o 7cg0 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 4bk0 -1o 6p40 1o 4jc0 -1o 6ww0 1o 4jc0 -1o 6ww0 1o 4bk0 -1o 6ww0 1o 4bk0 -1o 6ww0 1o 3w00 -1o 7cg0 1o 4jc0 -1o 6p40 1o 43s0 -1o 7cg0 1o 4bk0 -1o 6ww0 1o 4jc0 -1o 6p40 1o 4r40 -1o 6hc0 1o 4r40 -1o 6hc0 1o 4r40 -1o 6hc0 1o 4r40 -1o 6p40 1o 4jc0 -1o 6p40 1o 4jc0 -1o @Australia/Sydney 2r
Australia/Brisbane go kluo 1o 3o80 -1o 5j740 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 3w00 -1o
Australia/Broken_Hill fu klvi 1o 3o80 -1o 7k80 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 43s0 -1o 7cg0 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 4yw0 -1o 6hc0 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 4bk0 -1o 6p40 1o 4jc0 -1o 6ww0 1o 4jc0 -1o 6ww0 1o 4bk0 -1o 6ww0 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 43s0 -1o 7cg0 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o @Australia/Adelaide 32
Australia/Canberra =Australia/Sydney
Australia/Currie =Australia/Hobart
Australia/Darwin fu
Australia/Eucla el 1ib8r 1o 3w00 -1o 2pnk0 1o 3w00 -1o 2euo0 1o 38o0 -1o 4mcw0 1o 3gg0 -1o 6p40 1o 4r40 -1o 6hc0 1o 4r40 -1o
Australia/Hobart ic 20yo -1o 74o0 1o 4bk0 -1o 74o0 1o 3o80 -1o 7k80 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 43s0 -1o 7cg0 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 4r40 -1o 6p40 1o 4jc0 -1o 6p40 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 3w00 -1o 74o0 1o 4jc0 -1o 6ww0 1o 4jc0 -1o 6ww0 1o 4bk0 -1o 6ww0 1o 4bk0 -1o 6ww0 1o 4r40 -1o 5u00 1o 5eg0 -1o 5u00 1o 5eg0 -1o 5u00 1o 5eg0 -1o 5u00 1o 5eg0 -1o 5u00 1o 5m80 -1o 5u00 1o 5eg0 -1o 5u00 1o 5eg0 -1o 5u00 1o 5eg0 -1o 5u00 1o 5eg0 -1o 4r40 1o 6hc0 -1o 61s0 1o 5eg0 -1o 5u00 1o 5eg0 -1o 5u00 1o 5eg0 -1o 5u00 1o 5eg0 -1o 5u00 1o 5m80 -1o 5m80 1o 5eg0 -1o 61s0 1o 5m80 -1o @Australia/Sydney 2d
Australia/LHI =Australia/Lord_Howe
Australia/Lindeman go kluo 1o 3o80 -1o 5j740 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 43s0 -1o 7cg0 1o 3w00 -1o
Australia/Lord_Howe go 3htjc u 7cii 1o 43qc -1o 7cho 1o 3vyc -1o 7cho 1o 3vyc -1o 7cho 1o 3vyc -1o 7cho u 4bj6 -u 6p4u u 4jb6 -u 6wwu u 4jb6 -u 6wwu u 4bj6 -u 6wwu u 3vz6 -u 7cgu u 3vz6 -u 7cgu u 3vz6 -u 7cgu u 43r6 -u 7cgu u 3vz6 -u 7cgu u 3vz6 -u 7cgu u 4r36 -u 6hcu u 4r36 -u 6hcu u 4r36 -u 6hcu u 4r36 -u 6p4u u 4jb6 -u 4r4u u 6hb6 -u 6p4u u 4r36 -u 6hcu u 4r36 -u 6hcu u 4r36 -u 6p4u u 4jb6 -u 6p4u u 4r36 -u 6hcu u 4jb6 -u 6p4u u 4yv6 -u 5m8u u 5m76 -u 5m8u u 5m76 -u 5m8u u 5m76 -u 5m8u u 5m76 -u 5u0u u 5m76 -u 5m8u u 5m76 -u 5m8u u 5m76 -u 5m8u u 5m76 -u 5m8u u 5m76 -u 5m8u u 5m76 -u 5u0u u 5m76 -u 5m8u u 5m76 -u 5m8u u 5m76 -u 5m8u u 5m76 -u 5m8u u 5m76 -u 5m8u u 5tz6 -u 5m8u u 5m76 -u 5m8u u 5m76 -u 5m8u u 5m76 -u 5m8u u 5m76 -u 5m8u u 5m76 -u 5u0u u 5m76 -u 5m8u u 5m76 -u 5m8u u 5m76 -u 5m8u u 5m76 -u 5m8u u 5m76 -u 5m8u u 5m76 -u 5u0u u 5m76 -u 5m8u u 5m76 -u 5m8u u 5m76 -u 5m8u u 5m76 -u 5m8u u 5m76 -u 5u0u u 5m76 -u 5m8u u 5m76 -u 5m8u u 5m76 -u 5m8u u 5m76 -u 5m8u u 5m76 -u 5m8u u 5m76 -u 5u0u u 5m76 -u 5m8u u 5m76 -u 5m8u u 5m76 -u 5m8u u 5m76 -u 5m8u u
Australia/Melbourne go kluo 1o 3o80 -1o 7k80 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 43s0 -1o 7cg0 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 43s0 -1o 7cg0 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 4bk0 -1o 6p40 1o 4jc0 -1o 6p40 1o 4r40 -1o 6ww0 1o 4bk0 -1o 6ww0 1o 4bk0 -1o 6ww0 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 43s0 -1o 7cg0 1o 3w00 -1o 7cg0 1o 4jc0 -1o 6p40 1o @Australia/Sydney 32
Australia/NSW =Australia/Sydney
Australia/North =Australia/Darwin
Australia/Perth dc 1iba0 1o @Australia/Eucla b
Australia/Queensland =Australia/Brisbane
Australia/South =Australia/Adelaide
Australia/Sydney go kluo 1o 3o80 -1o 7k80 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 43s0 -1o 7cg0 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 4yw0 -1o 6hc0 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 4bk0 -1o 6p40 1o 4jc0 -1o 6ww0 1o 4jc0 -1o 6ww0 1o 4bk0 -1o 6ww0 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 43s0 -1o 7cg0 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 4r40 -1o 6hc0 1o 4r40 -1o 6hc0 1o 4r40 -1o 6hc0 1o 4r40 -1o 6p40 1o 4jc0 -1o 4r40 1o 6hc0 -1o 6p40 1o 4r40 -1o 6hc0 1o 4r40 -1o 6hc0 1o 4r40 -1o 6p40 1o 4jc0 -1o 6p40 1o 4r40 -1o 6hc0 1o 4jc0 -1o 6p40 1o 4yw0 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o @Antarctica/Macquarie 27
Australia/Tasmania =Australia/Hobart
Australia/Victoria =Australia/Melbourne
Australia/West =Australia/Perth
Australia/Yancowinna =Australia/Broken_Hill
Brazil/Acre =America/Rio_Branco
Brazil/DeNoronha =America/Noronha
Brazil/East =America/Sao_Paulo
Brazil/West =America/Manaus
CET =Europe/Brussels
CST6CDT -a0 @America/Chicago 4i
Canada/Atlantic =America/Halifax
Canada/Central =America/Winnipeg
Canada/Eastern =America/Toronto
Canada/Mountain =America/Edmonton
Canada/Newfoundland =America/St_Johns
Canada/Pacific =America/Vancouver
Canada/Saskatchewan =America/Regina
Canada/Yukon =America/Whitehorse
Chile/Continental =America/Santiago
Chile/EasterIsland =Pacific/Easter
Cuba =America/Havana
EET =Europe/Athens
EST =America/Panama
EST5EDT -8c @America/New_York 4i
Egypt =Africa/Cairo
Eire =Europe/Dublin
Etc/GMT =Etc/GMT-0
Etc/GMT+0 =Etc/GMT-0
Etc/GMT+1 -1o
Etc/GMT+10 -go
Etc/GMT+11 -ic
Etc/GMT+12 -k0
Etc/GMT+2 -3c
Etc/GMT+3 -50
Etc/GMT+4 -6o
Etc/GMT+5 -8c
Etc/GMT+6 -a0
Etc/GMT+7 -bo
Etc/GMT+8 -dc
Etc/GMT+9 -f0
Etc/GMT-0 0
Etc/GMT-1 1o
Etc/GMT-10 go
Etc/GMT-11 ic
Etc/GMT-12 k0
Etc/GMT-13 lo
Etc/GMT-14 nc
Etc/GMT-2 3c
Etc/GMT-3 50
Etc/GMT-4 6o
Etc/GMT-5 8c
Etc/GMT-6 a0
Etc/GMT-7 bo
Etc/GMT-8 dc
Etc/GMT-9 f0
Etc/GMT0 =Etc/GMT-0
Etc/Greenwich =Etc/GMT-0
Etc/UCT =Etc/UTC
Etc/UTC 0
Etc/Universal =Etc/UTC
Etc/Zulu =Etc/UTC
Europe/Amsterdam =Europe/Brussels
Europe/Andorra 1o 4rupo 1o @Europe/Berlin 3n
Europe/Astrakhan 6o 3is9c 1o 5nac -1o 5m9o 1o 5nac -1o 5m9o 1o 5nac -1o 5ndo 1o 5mbc -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o b8ho -1o 5m80 1o 5u00 -1o 5m80 1o guo0 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o @Asia/Barnaul x
Europe/Athens 3c 1nh0o 1o 71c0 -1o 48bc 1o 5m80 -1o 5eg0 1o 5fk0 -1o 5sw0 1o 5eho -1o 5ua0 1o 5kqo -1o 5pic 1o 5jyc -1o 5meo 1o @Europe/Berlin 3v
Europe/Belfast =Europe/London
Europe/Belgrade 1o 4561o 1o @Europe/Berlin 3r
Europe/Berlin 1o 37oho 1o 5eg0 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5u00 -1o 5m80 1o 5m80 -1o 5m80 1o @Africa/Ceuta 3l
Europe/Bratislava =Europe/Prague
Europe/Brussels 1o 29rdo 1o 5eg0 -1o 5u00 1o 5m80 -1o 5m80 1o 5m80 -1o 5u00 1o @Europe/Berlin 3x
Europe/Bucharest 3c 2xyco 1o 3vyc -1o 5u00 1o 5eho -1o 5mbc 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5u00 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5u00 -1o 5m4o 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m6c -1o 5m9o 1o 5m6c -1o 5u1o 1o 6hac -1o 4rao 1o @Africa/Ceuta 2z
Europe/Budapest 1o 37oec 1o 5eg0 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5mbc 1o @Europe/Berlin 3p
Europe/Busingen =Europe/Zurich
Europe/Chisinau 50 3isb0 1o 5nac -1o 5m9o 1o 5nac -1o 5m9o 1o 5nac -1o 5ndo 1o 5mbc -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 1amc -1o 4jfc -1o 5m80 1o 5m80 -1o 5m4o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5u1o 1o 6hac -1o 4r90 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jdo 1o @Africa/Ceuta 1l
Europe/Copenhagen =Europe/Berlin
Europe/Dublin 1o kmbc -1o 4bk0 1o 6ww0 -1o 4bk0 1o 6ww0 -1o 4bk0 1o 6ww0 -1o 4bk0 1o 6ww0 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6ww0 -1o 4bk0 1o 6ww0 -1o 4bk0 1o 6ww0 -1o 4r2c 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4yw0 1o @Africa/Ceuta 31
Europe/Gibraltar 1o 3txlo 1o @Europe/Berlin 3t
Europe/Guernsey =Europe/London
Europe/Helsinki 3c 3ip40 1o 5m80 -1o 5m80 1o 5m80 -1o 5m9o 1o @Europe/Berlin 3r
Europe/Isle_of_Man =Europe/London
Europe/Istanbul 3c 12jqc 1o 4r40 -1o 4jdo 1o 6p2c -1o 4aho 1o 6xyc -1o 4blo 1o 6wuc -1o 4r5o 1o 61qc -1o 56po 1o 1o26c 1o 1xyc -1o c81o -1o 58w0 1o 4yw0 -1o 5nc0 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5u00 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5eg0 1o 5u00 -1o 5m80 1o 5m80 -1o 5u00 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jfc 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4kg0 1o 6o00 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4s80 1o 6g80 -1o 4r40 1o 6ww0 -1o 4bk0 1o
Europe/Jersey =Europe/London
Europe/Kaliningrad 50 3isb0 1o 5nac -1o 5m9o 1o 5nac -1o 5m9o 1o 5nac -1o 5ndo 1o 5mbc -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o b8ho -1o 5m80 1o 5u00 -1o 5m80 1o 5m80 -1o 5m80 1o @Asia/Irkutsk 13
Europe/Kiev 50 3isb0 1o 5nac -1o 5m9o 1o 5nac -1o 5m9o 1o 5nac -1o 5ndo 1o 5mbc -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 30uc -1o e1nc -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5u00 1o 6hdo -1o @Africa/Ceuta 30
Europe/Kirov 6o 3is9c 1o 5nac -1o 5m9o 1o 5nac -1o 5m9o 1o 5nac -1o 5ndo 1o 5mbc -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o b8ho -1o 5m80 1o 5u00 -1o 5m80 1o guo0 -1o @Asia/Irkutsk 12
Europe/Kyiv =Europe/Kiev
Europe/Lisbon 1o 23xc0 -1o 5m80 1o 5m80 -1o 5u1o 1o 5m80 -1o 5m80 1o 5m80 -1o 5u00 1o 5eg0 -1o 5m6c 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5u00 -1o 5m80 1o 5m80 -1o 5m9o 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5u00 -1o 5m80 1o 5m80 -1o 5m80 1o b8g0 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o cbc0 -1o @Africa/Ceuta 30
Europe/Ljubljana =Europe/Belgrade
Europe/London 1o @Europe/Dublin 4f
Europe/Luxembourg =Europe/Brussels
Europe/Madrid 1o 1c9oo 1o 5eho -1o 5tyc 1o 5eho -1o 5eec 1o 5m9o -1o 5tyc 1o 5eho -1o 5u3c 1o @Europe/Brussels 41
Europe/Malta 1o 4mmc 1o 3o80 -1o 7cg0 1o 3w00 -1o 7k80 1o 3w00 -1o 5l40 1o 5m80 -1o 6ao0 1o 4kg0 -1o 6o3c 1o 4r2c -1o 6hdo 1o 4r2c -1o 6hdo 1o 4r2c -1o 6hdo 1o 4r2c -1o 6hdo 1o 4r2c -1o 62xo 1o 5dac -1o 5u1o 1o @Europe/Berlin 3v
Europe/Mariehamn =Europe/Helsinki
Europe/Minsk 50 3isb0 1o 5nac -1o 5m9o 1o 5nac -1o 5m9o 1o 5nac -1o 5ndo 1o 5mbc -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o mopo -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5u00 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o
Europe/Monaco =Europe/Paris
Europe/Moscow 50 3isb0 1o @Asia/Irkutsk 1p
Europe/Nicosia =Asia/Nicosia
Europe/Oslo =Europe/Berlin
Europe/Paris 1o 1yb40 1o 5m6c -1o 5u3c 1o @Europe/Brussels 43
Europe/Podgorica =Europe/Belgrade
Europe/Prague 1o 2w89o 1o @Europe/Brussels 3z
Europe/Riga 50 3isb0 1o 5nac -1o 5m9o 1o 5nac -1o 5m9o 1o 5nac -1o 5ndo 1o 5mbc -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o b8ho -1o 5m80 1o 5u00 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5u00 1o 5m80 -1o 5m9o 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o frs0 1o @Africa/Ceuta 2r
Europe/Rome 1o 4mmc 1o 3o80 -1o 7cg0 1o 3w00 -1o 7k80 1o 3w00 -1o 7k80 1o 3o80 -1o 7cg0 1o 3w00 -1o 7k80 1o 3o80 -1o 7k80 1o 3o80 -1o 7cg0 1o 3w00 -1o 7k80 1o 3w00 -1o 7cg0 1o 3w00 -1o 5u3c 1o @Europe/Berlin 3x
Europe/Samara 6o 3is9c 1o 5nac -1o 5m9o 1o 5nac -1o 5m9o 1o 5nac -1o 5ndo 1o 5mbc -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o b8ho -1o 5m80 1o 5u00 -1o bvto 1o 4yso 1o @Asia/Anadyr 11
Europe/San_Marino =Europe/Rome
Europe/Sarajevo =Europe/Belgrade
Europe/Saratov 6o 3is9c 1o 5nac -1o 5m9o 1o 5nac -1o 5m9o 1o 5nac -1o 5ndo 1o 5mbc -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o b8ho -1o 5m80 1o 5m80 -1o 5m80 1o 5u00 -1o 5m80 1o guo0 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5u00 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 14eec -1o nrlo 1o
Europe/Simferopol 50 3isb0 1o 5nac -1o 5m9o 1o 5nac -1o 5m9o 1o 5nac -1o 5ndo 1o 5mbc -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 8n40 -1o jnto 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 12r0 1o 4jfc -1o 5m80 1o 5m80 -1o 5two 1o 6hh0 -1o b8ho -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r2c 3c 6h8o -1o
Europe/Skopje =Europe/Belgrade
Europe/Sofia 3c 2w830 1o 5ndo -1o 5suc 1o 5flo -1o 5suc 1o 5ejc -1o 5two 1o 5el0 -1o 5m80 1o 5m80 -1o 5m80 1o 5u00 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5u00 -1o 5m4o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o @Europe/Bucharest 35
Europe/Stockholm =Europe/Berlin
Europe/Tallinn 50 3isb0 1o 5nac -1o 5m9o 1o 5nac -1o 5m9o 1o 5nac -1o 5ndo 1o 5mbc -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o b8ho -1o 5m80 1o 5u00 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5u00 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hdo -1o 4r40 1o 6p40 -1o r800 1o @Africa/Ceuta 2p
Europe/Tirane 1o 1cvyc 1o 4nqc -1o 6iho 1o 4r2c -1o 6kpo 1o 4r2c -1o 6p5o 1o 4jac -1o 6o1o 1o 4kec -1o 6o1o 1o 4kec -1o 6o1o 1o 4r2c -1o 6apo 1o 4r2c -1o 6p5o 1o 4r2c -1o 62xo 1o 54ec -1o 5ndo 1o 5mbc -1o @Europe/Berlin 3o
Europe/Tiraspol =Europe/Chisinau
Europe/Ulyanovsk 6o 3is9c 1o 5nac -1o 5m9o 1o 5nac -1o 5m9o 1o 5nac -1o 5ndo 1o 5mbc -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o b8ho -1o 5m80 1o 5u00 -1o b8ho -1o 3gg0 1o 25qc 1o 5m80 -1o @Europe/Astrakhan 13
Europe/Uzhgorod =Europe/Kiev
Europe/Vaduz =Europe/Zurich
Europe/Vatican =Europe/Rome
Europe/Vienna 1o 37oec 1o 5eec -1o 5md0 1o @Europe/Berlin 3v
Europe/Vilnius 50 3isb0 1o 5nac -1o 5m9o 1o 5nac -1o 5m9o 1o 5nac -1o 5ndo 1o 5mbc -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o b8ho -1o 5m80 1o 5u00 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5u00 1o 6hc0 -1o 4r40 1o 6hc0 -1o b8ho -1o 4r40 1o 195k0 1o @Africa/Ceuta 2n
Europe/Volgograd 6o 3is9c 1o 5nac -1o 5m9o 1o 5nac -1o 5m9o 1o 5nac -1o 5ndo 1o 5mbc -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o b8ho -1o 5m80 1o 5m80 -1o 5m80 1o 5u00 -1o 5m80 1o guo0 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5u00 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4jc0 1o 6p40 -1o 4r40 1o 6hc0 -1o 4r40 1o 6hc0 -1o 4r40 1o 6p40 -1o 4jc0 1o 14eec -1o 195lo 1o oeuc -1o
Europe/Warsaw 1o 29rc0 1o 5eg0 -1o 5u00 1o 5m80 -1o 5m80 1o 5m80 -1o 5u00 1o 5eg0 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5u00 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m80 1o 5m80 -1o 5m9o 1o @Africa/Ceuta 3h
Europe/Zagreb =Europe/Belgrade
Europe/Zaporozhye =Europe/Kiev
Europe/Zurich 1o @Atlantic/Faroe 3w
GB =Europe/London
GB-Eire =Europe/London
GMT =Etc/GMT-0
GMT+0 =Etc/GMT-0
GMT-0 =Etc/GMT-0
GMT0 =Etc/GMT-0
Greenwich =Etc/GMT-0
HST =Pacific/Honolulu
Hongkong =Asia/Hong_Kong
Iceland =Africa/Abidjan
Indian/Antananarivo =Africa/Nairobi
Indian/Chagos 8c 852vo 1o
Indian/Christmas =Asia/Bangkok
Indian/Cocos =Asia/Rangoon
Indian/Comoro =Africa/Nairobi
Indian/Kerguelen =Indian/Maldives
Indian/Mahe =Asia/Dubai
Indian/Maldives 8c
Indian/Mauritius 6o 3zz5c 1o 4zyc -1o 80m50 1o 4r2c -1o
Indian/Mayotte =Africa/Nairobi
Indian/Reunion =Asia/Dubai
Iran =Asia/Tehran
Israel =Asia/Jerusalem
Jamaica =America/Jamaica
Japan =Asia/Tokyo
Kwajalein =Pacific/Kwajalein
Libya =Africa/Tripoli
MET =Europe/Brussels
MST =America/Phoenix
MST7MDT -bo @America/Denver 4i
Mexico/BajaNorte =America/Tijuana
Mexico/BajaSur =America/Mazatlan
Mexico/General =America/Mexico_City
NZ =Pacific/Auckland
NZ-CHAT =Pacific/Chatham
Navajo =America/Denver
PRC =Asia/Shanghai
PST8PDT -dc @America/Los_Angeles 4i
Pacific/Apia -ic cr7mc 1o 5t10 -1o 5eg0 1o 2zlc 140 2ueo -1o 5m80 1o 5u00 -1o 5eg0 1o 5u00 -1o 5eg0 1o 5u00 -1o 5eg0 1o 5u00 -1o 5eg0 1o 5u00 -1o 5eg0 1o 5u00 -1o 5m80 1o 5u00 -1o 5eg0 1o 5u00 -1o 5eg0 1o 5u00 -1o
Pacific/Auckland k0 1iivc 1o 3gg0 -1o 7k80 1o 43s0 -1o 7cg0 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 43s0 -1o 7cg0 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 3w00 -1o 7cg0 1o 43s0 -1o 7cg0 1o 3w00 -1o 6p40 1o 4yw0 -1o 69k0 1o 4yw0 -1o 69k0 1o 4yw0 -1o 69k0 1o 56o0 -1o 61s0 1o 56o0 -1o 61s0 1o 56o0 -1o 61s0 1o 56o0 -1o 69k0 1o 4yw0 -1o 69k0 1o 4yw0 -1o 69k0 1o 56o0 -1o 61s0 1o 56o0 -1o 61s0 1o 56o0 -1o 69k0 1o 4yw0 -1o 69k0 1o 4yw0 -1o 69k0 1o 56o0 -1o 61s0 1o 56o0 -1o 61s0 1o 56o0 -1o 61s0 1o 56o0 -1o 61s0 1o 5u00 -1o 5eg0 1o 5u00 -1o 5eg0 1o 5u00 -1o 5eg0 1o 5u00 -1o 5eg0 1o 5u00 -1o 5m80 1o 5u00 -1o 5eg0 1o 5u00 -1o 5eg0 1o 5u00 -1o 5eg0 1o 5u00 -1o 5eg0 1o 5u00 -1o 5eg0 1o 5u00 -1o 5m80 1o 5u00 -1o 5eg0 1o 5u00 -1o 5eg0 1o 5u00 -1o 5eg0 1o 5u00 -1o 5eg0 1o 5u00 -1o 5eg0 1o 61s0 -1o 5eg0 1o 5u00 -1o 5eg0 1o 5u00 -1o 5eg0 1o 5u00 -1o 5eg0 1o 5u00 -1o 5eg0 1o 5u00 -1o 5m80 1o 5u00 -1o 5eg0 1o 5u00 -1o 5eg0 1o 5u00 -1o 5eg0 1o 5u00 -1o 5eg0 1o 5u00 -1o 5eg0 1o 5u00 -1o 5m80 1o 5u00 -1o 5eg0 1o 5u00 -1o 5eg0 1o 5u00 -1o 5eg0 1o 5u00 -1o 5eg0 1o 5u00 -1o 5m80 1o 5u00 -1o 5eg0 1o 5u00 -1o 5eg0 1o 5u00 -1o 5eg0 1o 5u00 -1o 5eg0 1o 5u00 -1o 5eg0 1o 5u00 -1o 5m80 1o 5u00 -1o 5eg0 1o 5u00 -1o 5eg0 1o 5u00 -1o 5eg0 1o 5u00 -1o 5eg0 1o
Pacific/Bougainville go e35eo 1o
Pacific/Chatham l9 @Pacific/Auckland 49
Pacific/Chuuk =Pacific/Port_Moresby
Pacific/Easter -a0 2ot0 -1o 61to 1o 4r2c -1o 6hdo 1o 4r2c -1o 6p5o 1o 4jac -1o 69lo 1o 4yuc -1o 6p5o 1o 4jac -1o 6p5o 1o 4r2c -1o 6hdo 1o 4r2c -1o 6hdo 1o 4r2c -1o 6p5o 1o 4jac -1o 6p5o 1o 4jac -1o 6p5o 1o 4r2c -1o 6hdo 1o b8g0 1o @America/Santiago 3q
Pacific/Efate ic 18ss0 1o 30w0 -1o 2yy1o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5u1o 1o 5eec -1o 5u1o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5m9o 1o 5m6c -1o 5u1o 1o 3o6c -1o 8fdo 1o 2t2c -1o
Pacific/Enderbury -k0 31w40 1o 4rwuc 140
Pacific/Fakaofo -ic d5eqc 140
Pacific/Fiji k0 910nc 1o 3o80 -1o 7s00 1o 3gg0 -1o 31yw0 1o 3o80 -1o 6hc0 1o 43s0 -1o 74o0 1o 2t40 -1o 8fc0 1o 2t40 -1o 8n40 1o 2lac -1o 8uxo 1o 2dk0 -1o 8uw0 1o 2dk0 -1o 92o0 1o 25s0 -1o 92o0 1o 25s0 -1o 92o0 1o 25s0 -1o 9ag0 1o 1y00 -1o al40 1o v40 -1o
Pacific/Funafuti =Pacific/Tarawa
Pacific/Galapagos -8c 50dkc -1o 25vdo 1o 24mc -1o
Pacific/Gambier -f0
Pacific/Guadalcanal ic
Pacific/Guam go 3jeo 1o 43qc -1o 74po 1o 43qc -1o pplo 1o 25qc -1o pddo 1o 2pqd -1o 7k9n 1o 3vyc -1o
Pacific/Honolulu -go
Pacific/Johnston =Pacific/Honolulu
Pacific/Kanton =Pacific/Enderbury
Pacific/Kiritimati -hs 31w1s 14 4rwuw 140
Pacific/Kosrae k0 92wc0 -1o
Pacific/Kwajalein -k0 7egs0 140
Pacific/Majuro =Pacific/Tarawa
Pacific/Marquesas -fu
Pacific/Midway =Pacific/Pago_Pago
Pacific/Nauru j6 2uo86 u
Pacific/Niue -ic
Pacific/Norfolk j6 1ib46 1o 3w00 -1o cplc0 -u 195ku 1o @Antarctica/Macquarie 1q
Pacific/Noumea ic 2hb1o 1o 2mec -1o 8m1o 1o 2nic -1o 5k7x0 1o 2t40 -1o
Pacific/Pago_Pago -ic
Pacific/Palau f0
Pacific/Pitcairn -e6 8v8m6 u
Pacific/Pohnpei =Pacific/Guadalcanal
Pacific/Ponape =Pacific/Guadalcanal
Pacific/Port_Moresby go
Pacific/Rarotonga -hi 2rx5i 1o 3gec -u 7cgu u 3vz6 -u 7cgu u 3vz6 -u 7cgu u 43r6 -u 7cgu u 3vz6 -u 7cgu u 3vz6 -u 7cgu u 3vz6 -u 7cgu u 3vz6 -u 7cgu u 3vz6 -u 7cgu u 43r6 -u 7cgu u 3vz6 -u 7cgu u 3vz6 -u 7cgu u 3vz6 -u
Pacific/Saipan =Pacific/Guam
Pacific/Samoa =Pacific/Pago_Pago
Pacific/Tahiti -go
Pacific/Tarawa k0
Pacific/Tongatapu lo 9bido 1o 5280 -1o 74o0 1o 2lac -1o 8n5o 1o 2lac -1o 4mkpo 1o 25s0 -1o
Pacific/Truk =Pacific/Port_Moresby
Pacific/Wake =Pacific/Tarawa
Pacific/Wallis =Pacific/Tarawa
Pacific/Yap =Pacific/Port_Moresby
Poland =Europe/Warsaw
Portugal =Europe/Lisbon
ROC =Asia/Taipei
ROK =Asia/Seoul
Singapore =Asia/Kuala_Lumpur
Turkey =Europe/Istanbul
UCT =Etc/UTC
US/Alaska =America/Anchorage
US/Aleutian =America/Adak
US/Arizona =America/Phoenix
US/Central =America/Chicago
US/East-Indiana =America/Fort_Wayne
US/Eastern =America/New_York
US/Hawaii =Pacific/Honolulu
US/Indiana-Starke =America/Indiana/Knox
US/Michigan =America/Detroit
US/Mountain =America/Denver
US/Pacific =America/Los_Angeles
US/Samoa =Pacific/Pago_Pago
UTC =Etc/UTC
Universal =Etc/UTC
W-SU =Europe/Moscow
WET =Europe/Lisbon
Zulu =Etc/UTC
`;
