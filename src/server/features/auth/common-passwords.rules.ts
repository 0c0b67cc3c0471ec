/**
 * Passwords that guessing tools try first, lowercase and at least six characters: the top of published breach lists,
 * their usual suffixes, and words that members of this association are likely to choose.
 */
export const commonPasswords: ReadonlySet<string> = new Set(
  `
000000 00000000 101010 111111 11111111 111222 112233 121212 123123 123123123 123321 12341234 123456 1234567
12345678 123456789 1234567890 12345678910 1234qwer 123654 123abc 123qwe 131313 147258 147258369 159753 1q2w3e
1q2w3e4r 1q2w3e4r5t 1qaz2wsx 222222 333333 444444 555555 654321 666666 696969 777777 7777777 789456 888888
88888888 987654 987654321 999999 a123456 a12345678 a1b2c3 aa123456 abc123 abcd1234 abcdef abcdef! abcdef1
abcdef12 abcdef123 abcdef1234 abcdef2024 abcdef2025 abcdef2026 abcdef@123 abcdefg abcdefg! abcdefg1 abcdefg12
abcdefg123 abcdefg1234 abcdefg2024 abcdefg2025 abcdefg2026 abcdefg@123 abcdefgh abcdefgh! abcdefgh1 abcdefgh12
abcdefgh123 abcdefgh1234 abcdefgh2024 abcdefgh2025 abcdefgh2026 abcdefgh@123 admin1 admin123 administrator
administrator! administrator1 administrator12 administrator123 administrator1234 administrator2024
administrator2025 administrator2026 administrator@123 america america! america1 america12 america123
america1234 america2024 america2025 america2026 america@123 andrew andrew! andrew1 andrew12 andrew123
andrew1234 andrew2024 andrew2025 andrew2026 andrew@123 arsenal arsenal! arsenal1 arsenal12 arsenal123
arsenal1234 arsenal2024 arsenal2025 arsenal2026 arsenal@123 asd123 asdfgh asdfgh! asdfgh1 asdfgh12 asdfgh123
asdfgh1234 asdfgh2024 asdfgh2025 asdfgh2026 asdfgh@123 asdfghjkl asdfghjkl! asdfghjkl1 asdfghjkl12
asdfghjkl123 asdfghjkl1234 asdfghjkl2024 asdfghjkl2025 asdfghjkl2026 asdfghjkl@123 ashley ashley! ashley1
ashley12 ashley123 ashley1234 ashley2024 ashley2025 ashley2026 ashley@123 atlanta atlanta! atlanta1 atlanta12
atlanta123 atlanta1234 atlanta2024 atlanta2025 atlanta2026 atlanta@123 augusta1 autumn autumn! autumn1
autumn12 autumn123 autumn1234 autumn2024 autumn2025 autumn2026 autumn@123 bangalore bangalore! bangalore1
bangalore12 bangalore123 bangalore1234 bangalore2024 bangalore2025 bangalore2026 bangalore@123 barcelona
barcelona! barcelona1 barcelona12 barcelona123 barcelona1234 barcelona2024 barcelona2025 barcelona2026
barcelona@123 baseball baseball! baseball1 baseball12 baseball123 baseball1234 baseball2024 baseball2025
baseball2026 baseball@123 basketball basketball! basketball1 basketball12 basketball123 basketball1234
basketball2024 basketball2025 basketball2026 basketball@123 batman batman! batman1 batman12 batman123
batman1234 batman2024 batman2025 batman2026 batman@123 bharat bharat! bharat1 bharat12 bharat123 bharat1234
bharat2024 bharat2025 bharat2026 bharat@123 bonjour bonjour! bonjour1 bonjour12 bonjour123 bonjour1234
bonjour2024 bonjour2025 bonjour2026 bonjour@123 braves braves! braves1 braves12 braves123 braves1234
braves2024 braves2025 braves2026 braves@123 bulldogs bulldogs! bulldogs1 bulldogs12 bulldogs123 bulldogs1234
bulldogs2024 bulldogs2025 bulldogs2026 bulldogs@123 buster buster! buster1 buster12 buster123 buster1234
buster2024 buster2025 buster2026 buster@123 butterfly butterfly! butterfly1 butterfly12 butterfly123
butterfly1234 butterfly2024 butterfly2025 butterfly2026 butterfly@123 canada canada! canada1 canada12
canada123 canada1234 canada2024 canada2025 canada2026 canada@123 cardio123 change123 changeme changeme!
changeme1 changeme12 changeme123 changeme1234 changeme2024 changeme2025 changeme2026 changeme@123 charlie
charlie! charlie1 charlie12 charlie123 charlie1234 charlie2024 charlie2025 charlie2026 charlie@123 chelsea
chelsea! chelsea1 chelsea12 chelsea123 chelsea1234 chelsea2024 chelsea2025 chelsea2026 chelsea@123 chennai
chennai! chennai1 chennai12 chennai123 chennai1234 chennai2024 chennai2025 chennai2026 chennai@123 computer
computer! computer1 computer12 computer123 computer1234 computer2024 computer2025 computer2026 computer@123
cookie cookie! cookie1 cookie12 cookie123 cookie1234 cookie2024 cookie2025 cookie2026 cookie@123 corvette
corvette! corvette1 corvette12 corvette123 corvette1234 corvette2024 corvette2025 corvette2026 corvette@123
cowboys cowboys! cowboys1 cowboys12 cowboys123 cowboys1234 cowboys2024 cowboys2025 cowboys2026 cowboys@123
cricket cricket! cricket1 cricket12 cricket123 cricket1234 cricket2024 cricket2025 cricket2026 cricket@123
daniel daniel! daniel1 daniel12 daniel123 daniel1234 daniel2024 daniel2025 daniel2026 daniel@123 decatur
decatur! decatur1 decatur12 decatur123 decatur1234 decatur2024 decatur2025 decatur2026 decatur@123 default
default! default1 default12 default123 default1234 default2024 default2025 default2026 default@123 delhi123
dhoni7 diamond diamond! diamond1 diamond12 diamond123 diamond1234 diamond2024 diamond2025 diamond2026
diamond@123 doctor doctor! doctor1 doctor12 doctor123 doctor1234 doctor2024 doctor2025 doctor2026 doctor@123
dragon dragon! dragon1 dragon12 dragon123 dragon1234 dragon2024 dragon2025 dragon2026 dragon@123 duluth123
emory123 facebook facebook! facebook1 facebook12 facebook123 facebook1234 facebook2024 facebook2025
facebook2026 facebook@123 falcons falcons! falcons1 falcons12 falcons123 falcons1234 falcons2024 falcons2025
falcons2026 falcons@123 family family! family1 family12 family123 family1234 family2024 family2025 family2026
family@123 father father! father1 father12 father123 father1234 father2024 father2025 father2026 father@123
ferrari ferrari! ferrari1 ferrari12 ferrari123 ferrari1234 ferrari2024 ferrari2025 ferrari2026 ferrari@123
flower flower! flower1 flower12 flower123 flower1234 flower2024 flower2025 flower2026 flower@123 flowers
flowers! flowers1 flowers12 flowers123 flowers1234 flowers2024 flowers2025 flowers2026 flowers@123 football
football! football1 football12 football123 football1234 football2024 football2025 football2026 football@123
freedom freedom! freedom1 freedom12 freedom123 freedom1234 freedom2024 freedom2025 freedom2026 freedom@123
ganesh ganesh! ganesh1 ganesh12 ganesh123 ganesh1234 ganesh2024 ganesh2025 ganesh2026 ganesh@123 george
george! george1 george12 george123 george1234 george2024 george2025 george2026 george@123 georgia georgia!
georgia1 georgia12 georgia123 georgia1234 georgia2024 georgia2025 georgia2026 georgia@123 ginger ginger!
ginger1 ginger12 ginger123 ginger1234 ginger2024 ginger2025 ginger2026 ginger@123 golden golden! golden1
golden12 golden123 golden1234 golden2024 golden2025 golden2026 golden@123 google google! google1 google12
google123 google1234 google2024 google2025 google2026 google@123 guest123 gujarat gujarat! gujarat1 gujarat12
gujarat123 gujarat1234 gujarat2024 gujarat2025 gujarat2026 gujarat@123 gwinnett gwinnett! gwinnett1 gwinnett12
gwinnett123 gwinnett1234 gwinnett2024 gwinnett2025 gwinnett2026 gwinnett@123 hannah hannah! hannah1 hannah12
hannah123 hannah1234 hannah2024 hannah2025 hannah2026 hannah@123 harley harley! harley1 harley12 harley123
harley1234 harley2024 harley2025 harley2026 harley@123 hawks123 health health! health1 health12 health123
health1234 health2024 health2025 health2026 health@123 hello1 hello123 hellohello hellohello! hellohello1
hellohello12 hellohello123 hellohello1234 hellohello2024 hellohello2025 hellohello2026 hellohello@123 hockey
hockey! hockey1 hockey12 hockey123 hockey1234 hockey2024 hockey2025 hockey2026 hockey@123 hospital hospital!
hospital1 hospital12 hospital123 hospital1234 hospital2024 hospital2025 hospital2026 hospital@123 hunter
hunter! hunter1 hunter12 hunter123 hunter1234 hunter2 hunter2024 hunter2025 hunter2026 hunter@123 hyderabad
hyderabad! hyderabad1 hyderabad12 hyderabad123 hyderabad1234 hyderabad2024 hyderabad2025 hyderabad2026
hyderabad@123 ilove123 iloveyou iloveyou! iloveyou1 iloveyou12 iloveyou123 iloveyou1234 iloveyou2024
iloveyou2025 iloveyou2026 iloveyou@123 india1 india123 india@123 internet internet! internet1 internet12
internet123 internet1234 internet2024 internet2025 internet2026 internet@123 jaishriram jaishriram!
jaishriram1 jaishriram12 jaishriram123 jaishriram1234 jaishriram2024 jaishriram2025 jaishriram2026
jaishriram@123 jennifer jennifer! jennifer1 jennifer12 jennifer123 jennifer1234 jennifer2024 jennifer2025
jennifer2026 jennifer@123 jessica jessica! jessica1 jessica12 jessica123 jessica1234 jessica2024 jessica2025
jessica2026 jessica@123 jordan jordan! jordan1 jordan12 jordan123 jordan1234 jordan2024 jordan2025 jordan2026
jordan23 jordan@123 joshua joshua! joshua1 joshua12 joshua123 joshua1234 joshua2024 joshua2025 joshua2026
joshua@123 kerala kerala! kerala1 kerala12 kerala123 kerala1234 kerala2024 kerala2025 kerala2026 kerala@123
killer killer! killer1 killer12 killer123 killer1234 killer2024 killer2025 killer2026 killer@123 krishna
krishna! krishna1 krishna12 krishna123 krishna1234 krishna2024 krishna2025 krishna2026 krishna@123 kumar123
lakers lakers! lakers1 lakers12 lakers123 lakers1234 lakers2024 lakers2025 lakers2026 lakers@123 lakshmi
lakshmi! lakshmi1 lakshmi12 lakshmi123 lakshmi1234 lakshmi2024 lakshmi2025 lakshmi2026 lakshmi@123 letmein
letmein! letmein1 letmein12 letmein123 letmein1234 letmein2024 letmein2025 letmein2026 letmein@123 linkedin
linkedin! linkedin1 linkedin12 linkedin123 linkedin1234 linkedin2024 linkedin2025 linkedin2026 linkedin@123
liverpool liverpool! liverpool1 liverpool12 liverpool123 liverpool1234 liverpool2024 liverpool2025
liverpool2026 liverpool@123 login123 london london! london1 london12 london123 london1234 london2024
london2025 london2026 london@123 love123 lovely lovely! lovely1 lovely12 lovely123 lovely1234 lovely2024
lovely2025 lovely2026 lovely@123 loveme loveme! loveme1 loveme12 loveme123 loveme1234 loveme2024 loveme2025
loveme2026 loveme@123 master master! master1 master12 master123 master1234 master2024 master2025 master2026
master@123 matthew matthew! matthew1 matthew12 matthew123 matthew1234 matthew2024 matthew2025 matthew2026
matthew@123 medical medical! medical1 medical12 medical123 medical1234 medical2024 medical2025 medical2026
medical@123 medicine medicine! medicine1 medicine12 medicine123 medicine1234 medicine2024 medicine2025
medicine2026 medicine@123 michael michael! michael1 michael12 michael123 michael1234 michael2024 michael2025
michael2026 michael@123 monkey monkey! monkey1 monkey12 monkey123 monkey1234 monkey2024 monkey2025 monkey2026
monkey@123 mother mother! mother1 mother12 mother123 mother1234 mother2024 mother2025 mother2026 mother@123
mumbai mumbai! mumbai1 mumbai12 mumbai123 mumbai1234 mumbai2024 mumbai2025 mumbai2026 mumbai@123 mustang
mustang! mustang1 mustang12 mustang123 mustang1234 mustang2024 mustang2025 mustang2026 mustang@123 myspace
myspace! myspace1 myspace12 myspace123 myspace1234 myspace2024 myspace2025 myspace2026 myspace@123 namaste
namaste! namaste1 namaste12 namaste123 namaste1234 namaste2024 namaste2025 namaste2026 namaste@123 naruto
naruto! naruto1 naruto12 naruto123 naruto1234 naruto2024 naruto2025 naruto2026 naruto@123 nicole nicole!
nicole1 nicole12 nicole123 nicole1234 nicole2024 nicole2025 nicole2026 nicole@123 norcross norcross! norcross1
norcross12 norcross123 norcross1234 norcross2024 norcross2025 norcross2026 norcross@123 nurse123 omsairam
omsairam! omsairam1 omsairam12 omsairam123 omsairam1234 omsairam2024 omsairam2025 omsairam2026 omsairam@123
orange orange! orange1 orange12 orange123 orange1234 orange2024 orange2025 orange2026 orange@123 p@ssw0rd
p@ssword pa$$word pass123 pass1234 passpass passpass! passpass1 passpass12 passpass123 passpass1234
passpass2024 passpass2025 passpass2026 passpass@123 passw0rd password password! password1 password12
password123 password1234 password2024 password2025 password2026 password@123 patel1 patel123 peach123
peachtree peachtree! peachtree1 peachtree12 peachtree123 peachtree1234 peachtree2024 peachtree2025
peachtree2026 peachtree@123 pepper pepper! pepper1 pepper12 pepper123 pepper1234 pepper2024 pepper2025
pepper2026 pepper@123 physician physician! physician1 physician12 physician123 physician1234 physician2024
physician2025 physician2026 physician@123 pokemon pokemon! pokemon1 pokemon12 pokemon123 pokemon1234
pokemon2024 pokemon2025 pokemon2026 pokemon@123 princess princess! princess1 princess12 princess123
princess1234 princess2024 princess2025 princess2026 princess@123 punjab punjab! punjab1 punjab12 punjab123
punjab1234 punjab2024 punjab2025 punjab2026 punjab@123 purple purple! purple1 purple12 purple123 purple1234
purple2024 purple2025 purple2026 purple@123 qazwsx qazwsx! qazwsx1 qazwsx12 qazwsx123 qazwsx1234 qazwsx2024
qazwsx2025 qazwsx2026 qazwsx@123 qwe123 qweasd qweasd! qweasd1 qweasd12 qweasd123 qweasd1234 qweasd2024
qweasd2025 qweasd2026 qweasd@123 qweasdzxc qweasdzxc! qweasdzxc1 qweasdzxc12 qweasdzxc123 qweasdzxc1234
qweasdzxc2024 qweasdzxc2025 qweasdzxc2026 qweasdzxc@123 qwerty qwerty! qwerty1 qwerty12 qwerty123 qwerty1234
qwerty123456 qwerty2024 qwerty2025 qwerty2026 qwerty@123 qwertyuiop qwertyuiop! qwertyuiop1 qwertyuiop12
qwertyuiop123 qwertyuiop1234 qwertyuiop2024 qwertyuiop2025 qwertyuiop2026 qwertyuiop@123 radhakrishna
radhakrishna! radhakrishna1 radhakrishna12 radhakrishna123 radhakrishna1234 radhakrishna2024 radhakrishna2025
radhakrishna2026 radhakrishna@123 ranger ranger! ranger1 ranger12 ranger123 ranger1234 ranger2024 ranger2025
ranger2026 ranger@123 reddy123 robert robert! robert1 robert12 robert123 robert1234 robert2024 robert2025
robert2026 robert@123 root123 sachin sachin! sachin1 sachin10 sachin12 sachin123 sachin1234 sachin2024
sachin2025 sachin2026 sachin@123 saibaba saibaba! saibaba1 saibaba12 saibaba123 saibaba1234 saibaba2024
saibaba2025 saibaba2026 saibaba@123 samsung samsung! samsung1 samsung12 samsung123 samsung1234 samsung2024
samsung2025 samsung2026 samsung@123 savannah savannah! savannah1 savannah12 savannah123 savannah1234
savannah2024 savannah2025 savannah2026 savannah@123 secret secret! secret1 secret12 secret123 secret1234
secret2024 secret2025 secret2026 secret@123 shadow shadow! shadow1 shadow12 shadow123 shadow1234 shadow2024
shadow2025 shadow2026 shadow@123 sharma sharma! sharma1 sharma12 sharma123 sharma1234 sharma2024 sharma2025
sharma2026 sharma@123 shivam shivam! shivam1 shivam12 shivam123 shivam1234 shivam2024 shivam2025 shivam2026
shivam@123 silver silver! silver1 silver12 silver123 silver1234 silver2024 silver2025 silver2026 silver@123
singh123 soccer soccer! soccer1 soccer12 soccer123 soccer1234 soccer2024 soccer2025 soccer2026 soccer@123
spiderman spiderman! spiderman1 spiderman12 spiderman123 spiderman1234 spiderman2024 spiderman2025
spiderman2026 spiderman@123 spring spring! spring1 spring12 spring123 spring1234 spring2024 spring2025
spring2026 spring@123 starwars starwars! starwars1 starwars12 starwars123 starwars1234 starwars2024
starwars2025 starwars2026 starwars@123 summer summer! summer1 summer12 summer123 summer1234 summer2024
summer2025 summer2026 summer@123 sunshine sunshine! sunshine1 sunshine12 sunshine123 sunshine1234 sunshine2024
sunshine2025 sunshine2026 sunshine@123 superman superman! superman1 superman12 superman123 superman1234
superman2024 superman2025 superman2026 superman@123 surgeon surgeon! surgeon1 surgeon12 surgeon123 surgeon1234
surgeon2024 surgeon2025 surgeon2026 surgeon@123 test123 test1234 testing testing! testing1 testing12
testing123 testing1234 testing2024 testing2025 testing2026 testing@123 thomas thomas! thomas1 thomas12
thomas123 thomas1234 thomas2024 thomas2025 thomas2026 thomas@123 tigger tigger! tigger1 tigger12 tigger123
tigger1234 tigger2024 tigger2025 tigger2026 tigger@123 toor123 trustno1 welcome welcome! welcome1 welcome12
welcome123 welcome1234 welcome2024 welcome2025 welcome2026 welcome@123 whatever whatever! whatever1 whatever12
whatever123 whatever1234 whatever2024 whatever2025 whatever2026 whatever@123 william william! william1
william12 william123 william1234 william2024 william2025 william2026 william@123 winter winter! winter1
winter12 winter123 winter1234 winter2024 winter2025 winter2026 winter@123 yankees yankees! yankees1 yankees12
yankees123 yankees1234 yankees2024 yankees2025 yankees2026 yankees@123 yellow yellow! yellow1 yellow12
yellow123 yellow1234 yellow2024 yellow2025 yellow2026 yellow@123 zxcvbn zxcvbn! zxcvbn1 zxcvbn12 zxcvbn123
zxcvbn1234 zxcvbn2024 zxcvbn2025 zxcvbn2026 zxcvbn@123 zxcvbnm zxcvbnm! zxcvbnm1 zxcvbnm12 zxcvbnm123
zxcvbnm1234 zxcvbnm2024 zxcvbnm2025 zxcvbnm2026 zxcvbnm@123
`
    .trim()
    .split(/\s+/),
)
